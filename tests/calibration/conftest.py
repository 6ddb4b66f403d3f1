"""A simulated person who stands, as a device with any frames would see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from telexist.calibration.capture import Capture, CaptureStatus
from telexist.calibration.standing_pose import pose_rotation
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array, exp_so3, rotation_z

RATE = 60.0  # [Hz]


@dataclass
class Stander:
    """One person and what a device says of it.

    `noise_deg` is the rms angle of the sensors, `sway` the rms speed of the body.
    """

    height: float = 1.75
    heading: float = 0.0
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    pose: str = "n"
    noise_deg: float = 2.0
    sway: float = 0.01
    seed: int = 0
    any_frames: bool = True
    size: HumanSize | None = None
    frames: Array = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.frames = np.tile(np.eye(3), (len(SEGMENTS), 1, 1))
        if self.any_frames:
            self.frames = exp_so3(self.rng.normal(size=(len(SEGMENTS), 3)))
        self.size = self.size or adult_size(self.height)
        self.world_R_here = rotation_z(self.heading)

    def raw(self, frame: HumanFrame, *, noisy: bool = True) -> HumanFrame:
        """Return what the device says of a person in our own frames."""
        R = self.world_R_here @ frame.rotations @ self.frames
        p = frame.positions @ self.world_R_here.T + np.array(self.place)
        if noisy:
            axis = np.deg2rad(self.noise_deg) / np.sqrt(3.0)
            R = exp_so3(self.rng.normal(scale=axis, size=(len(R), 3))) @ R
            p = p + self.rng.normal(scale=1e-3, size=p.shape)
        return replace(
            frame,
            rotations=R,
            angular_velocities=frame.angular_velocities @ self.world_R_here.T,
            positions=p,
            linear_velocities=frame.linear_velocities @ self.world_R_here.T,
        )

    def standing(self, time: float) -> HumanFrame:
        """Return the person in our own frames, swaying."""
        R = np.array([pose_rotation(self.pose, name) for name in SEGMENTS])
        pace = 2.0 * np.pi * 0.4
        out = self.sway * np.sqrt(2.0) / pace * np.sin(pace * time)
        pelvis = self.size.joints["Pelvis"] + np.array([out, -out, 0.0]) / np.sqrt(2.0)
        zeros = np.zeros((len(SEGMENTS), 3))
        return HumanFrame(
            stamp=time,
            segments=SEGMENTS,
            rotations=R,
            angular_velocities=zeros,
            positions=self.size.positions(R, pelvis),
            linear_velocities=zeros,
        )

    def neutral(self, time: float = 100.0) -> HumanFrame:
        """Return the raw frame of the pose itself, without noise and sway."""
        still = replace(self.standing(0.0), stamp=time)
        return self.raw(still, noisy=False)


Change = Callable[[HumanFrame, float], HumanFrame | None]


def run(
    stander: Stander, capture: Capture, change: Change | None = None, rate: float = RATE
) -> CaptureStatus:
    """Feed a capture until it is over; `change` may spoil a raw frame."""
    for k in range(10_000):
        time = 50.0 + k / rate
        frame: HumanFrame | None = stander.raw(stander.standing(time))
        if change is not None and frame is not None:
            frame = change(frame, time)
        status = capture.update(frame, time)
        if status.over:
            return status
    raise AssertionError("the capture never ended")


def shown(frame: HumanFrame, names: Sequence[str]) -> HumanFrame:
    """Return a part of a frame."""
    rows = [frame.segments.index(name) for name in names]
    return replace(
        frame,
        segments=tuple(names),
        rotations=frame.rotations[rows],
        angular_velocities=frame.angular_velocities[rows],
        positions=None if frame.positions is None else frame.positions[rows],
        linear_velocities=(
            None if frame.linear_velocities is None else frame.linear_velocities[rows]
        ),
    )


@pytest.fixture(scope="session")
def stander() -> type[Stander]:
    return Stander


@pytest.fixture(scope="session")
def run_capture() -> Callable[..., CaptureStatus]:
    return run


@pytest.fixture(scope="session")
def only() -> Callable[[HumanFrame, Sequence[str]], HumanFrame]:
    return shown
