"""Puts terms together to the vector that a network takes, with its history."""

from __future__ import annotations

from collections import deque

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.policy.read_policy import Block, Policy
from telexist.teleop.controllers.policy.vocabulary import Seen

__all__ = ["Observation"]


class Observation:
    """Remembers what a policy saw."""

    def __init__(self, policy: Policy) -> None:
        """Begin without a past."""
        self._blocks, self._zeros = policy.blocks, policy.file.fill == "zeros"
        self.reset()

    def reset(self) -> None:
        """Forget the past."""
        self._past: list[deque[Array]] = [
            deque(maxlen=block.skip + block.frames) for block in self._blocks
        ]

    def step(self, seen: Seen) -> Array:
        """Return the whole observation (m,) of another step of the policy.

        Raises:
            BadInput: If a term is not known of this robot.
        """
        parts: list[Array] = []
        for block, past in zip(self._blocks, self._past, strict=True):
            past.append(_frame(block, seen))
            ages = range(block.skip, block.skip + block.frames)
            for age in ages if block.newest_first else reversed(ages):
                parts.append(self._of_age(past, age))
        return np.concatenate(parts)

    def _of_age(self, past: deque[Array], age: int) -> Array:
        if age < len(past):
            return past[-1 - age]
        return np.zeros_like(past[0]) if self._zeros else past[0]


def _frame(block: Block, seen: Seen) -> Array:
    values = [
        np.clip(term.scale * term.word.value(seen), -term.clip, term.clip)
        for term in block.terms
    ]
    return np.concatenate(values)
