"""What a controller tells of one step: a kind for the program, a text for people."""

from __future__ import annotations

import enum
from dataclasses import dataclass

__all__ = ["ControllerEvent", "ControllerEventKind"]


class ControllerEventKind(enum.StrEnum):
    """What may happen in a step of a controller."""

    FALL = "fall"  # the robot falls, or nobody can balance on what its sensors say
    STEP = "step"  # a step that nobody asked for, to keep the balance
    WALK = "walk"  # walking began, ended, or its command was cut
    SIT = "sit"  # sitting down or standing up began, ended or did not come about
    CONTACT = "contact"  # the feet feel what cannot be
    REFERENCE = "reference"  # what was asked cannot be followed
    QP = "qp"  # the whole-body QP fell back
    POLICY = "policy"  # a learned policy gave no answer that can be used
    HAND_OVER = "hand_over"  # another controller leads, will lead, or cannot
    HANDED_BACK = "handed_back"  # who led went astray: the one that stands leads


@dataclass(frozen=True, slots=True)
class ControllerEvent:
    """Something that happened in a step.

    Attributes:
        kind: What the program acts on.
        text: One line for people.
    """

    kind: ControllerEventKind
    text: str

    def __str__(self) -> str:
        """Return both, for a list that people read."""
        return f"{self.kind}: {self.text}"
