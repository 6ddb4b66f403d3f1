"""The built-in motion, and clips cut out of others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.signals import HumanClip


@pytest.fixture(scope="session")
def builtin() -> HumanClip:
    """Return the built-in motion at 60 Hz."""
    return builtin_clip()


@pytest.fixture(scope="session")
def take() -> Callable[[HumanClip, slice], HumanClip]:
    """Return a cutter of clips; times begin at 0 again."""

    def cut(clip: HumanClip, part: slice) -> HumanClip:
        time = clip.time[part]
        return replace(
            clip,
            time=time - time[0],
            rotations=clip.rotations[part],
            angular_velocities=clip.angular_velocities[part],
            positions=clip.positions[part],
            linear_velocities=clip.linear_velocities[part],
        )

    return cut


@pytest.fixture(scope="session")
def turned() -> Callable[[HumanClip, np.ndarray, np.ndarray], HumanClip]:
    """Return a maker of the same motion elsewhere: turned by R, moved by p."""

    def turn(clip: HumanClip, R: np.ndarray, p: np.ndarray) -> HumanClip:
        return replace(
            clip,
            rotations=R @ clip.rotations,
            angular_velocities=clip.angular_velocities @ R.T,
            positions=clip.positions @ R.T + p,
            linear_velocities=clip.linear_velocities @ R.T,
        )

    return turn
