"""What a calibration knows of an operator, and raw frames turned into frames in N-pose.

With psi the heading of the operator while standing in N-pose, and world_R_raw(N) what
the device said of a segment then ([T] 10.1.3, heading removed):

    world_R_segment(t) = Rz(-psi) world_R_raw(t) world_R_raw(N)^T Rz(psi)

which is the identity in N-pose whatever the device's own segment frames are. Places are
seen from where the operator stood, the floor at z = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import BadFrame, BadInput
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame, frozen_array
from telexist.retarget.so3 import (
    Array,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
    rotation_z,
)

__all__ = ["OperatorProfile"]

ROTATION = 1e-6  # entries of R R^T - I may be this large
_NEXT, _LAST = np.array([1, 2, 0]), np.array([2, 0, 1])  # cyclic, for cross products
MOST_PLANS = 64  # sets of segments that a source may show before the memory is cleared


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What is ready for frames that show a certain set of segments.

    Attributes:
        segments: Those of them that were calibrated, in the frame's order.
        rows: Their rows in the frame; None if it is all of them.
        raw_R_here: world_R_raw(N)^T Rz(psi) (s, 3, 3).
        offsets: Of the joints from the points that the device tracks (s, 3, 1) [m];
            None if there are none.
    """

    segments: tuple[str, ...]
    rows: list[int] | None
    raw_R_here: Array
    offsets: Array | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OperatorProfile:
    """One operator, calibrated with one source.

    Attributes:
        operator: Name of the operator.
        source: Name of the device; "" if it does not matter.
        pose: In which the operator stood: "n" or "t".
        heading: psi, counter-clockwise seen from above [rad].
        origin: Place in the device's world that becomes the origin (3,) [m].
        segments: The s segments that were calibrated.
        neutral: world_R_raw in N-pose (s, 3, 3).
        offsets: Of each joint from the point that the device tracks, in the axes of
            the calibrated segment (s, 3) [m]; zeros where it tracks the joint itself.
        size: The operator's joints in N-pose.
        residuals: Segment to the rms angle of its samples to their mean [deg].
        quats_wxyz: `neutral` as it is written in a file (s, 4); found if None. What is
            used is what they say, so that a file reads back to the last bit.
    """

    operator: str
    source: str
    pose: str
    heading: float
    origin: Array
    segments: tuple[str, ...]
    neutral: Array
    offsets: Array
    size: HumanSize
    residuals: Mapping[str, float]
    quats_wxyz: Array | None = None
    _plans: dict[tuple[str, ...], _Plan] = field(
        init=False, repr=False, default_factory=dict
    )
    _world_R_here: Array = field(init=False, repr=False)
    _passes: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Copy, check and freeze the arrays."""
        put, s = object.__setattr__, len(self.segments)
        put(self, "origin", frozen_array(self.origin, (3,), "origin"))
        put(self, "neutral", frozen_array(self.neutral, (s, 3, 3), "neutral"))
        put(self, "offsets", frozen_array(self.offsets, (s, 3), "offsets"))
        put(self, "residuals", MappingProxyType(dict(self.residuals)))
        self._check()
        self._keep_quats()
        put(self, "_world_R_here", rotation_z(self.heading))
        put(
            self,
            "_passes",
            self.segments == SEGMENTS
            and self.heading == 0.0
            and not np.any(self.origin)
            and not np.any(self.offsets)
            and bool(np.all(self.neutral == np.eye(3))),
        )

    def _check(self) -> None:
        if self.pose not in ("n", "t"):
            raise BadInput(f"a pose is 'n' or 't', not '{self.pose}'")
        unknown = [name for name in self.segments if name not in SEGMENTS]
        if unknown or len(set(self.segments)) != len(self.segments):
            problem = f"unknown or repeated segments: {', '.join(unknown or ['twice'])}"
            raise BadInput(f"operator profile: {problem}; known: {', '.join(SEGMENTS)}")
        values = (np.array(self.heading), self.origin, self.neutral, self.offsets)
        if not all(np.isfinite(value).all() for value in values):
            raise BadInput("operator profile: a value is not finite; calibrate again")
        square = self.neutral @ np.swapaxes(self.neutral, -1, -2)
        wrong = np.abs(square - np.eye(3)).max(axis=(1, 2), initial=0.0) > ROTATION
        wrong |= np.linalg.det(self.neutral) < 0.0
        if wrong.any():
            name = self.segments[int(np.argmax(wrong))]
            raise BadInput(f"operator profile: {name} has no rotation; calibrate again")

    def _keep_quats(self) -> None:
        """Make rotations and quaternions say exactly the same."""
        put, quats = object.__setattr__, self.quats_wxyz
        if quats is None or not np.array_equal(
            rotation_from_quat_wxyz(quats), self.neutral
        ):
            quats = quat_wxyz_from_rotation(self.neutral)
        s, neutral = len(self.segments), rotation_from_quat_wxyz(quats)
        put(self, "quats_wxyz", frozen_array(quats, (s, 4), "quats_wxyz"))
        put(self, "neutral", frozen_array(neutral, (s, 3, 3), "neutral"))

    @classmethod
    def identity(cls, size: HumanSize, operator: str = "") -> OperatorProfile:
        """Return the profile of a source that is calibrated already: a recording."""
        s = len(SEGMENTS)
        return cls(
            operator=operator,
            source="",
            pose="n",
            heading=0.0,
            origin=np.zeros(3),
            segments=SEGMENTS,
            neutral=np.tile(np.eye(3), (s, 1, 1)),
            offsets=np.zeros((s, 3)),
            size=size,
            residuals={},
        )

    def apply(self, raw: HumanFrame) -> HumanFrame:
        """Return the frame as if the operator faced x from the origin.

        Segments that were not calibrated are left out. Values that are not finite stay
        so, for whoever checks the frame.

        Args:
            raw: What the device said.

        Raises:
            BadFrame: If no segment of the frame was calibrated.
        """
        if self._passes:
            return raw
        plan = self._plans.get(raw.segments) or self._make_plan(raw.segments)
        world_R_here = self._world_R_here
        rotations, turning = raw.rotations, raw.angular_velocities
        places, speeds = raw.positions, raw.linear_velocities
        if plan.rows is not None:
            rotations, turning = rotations[plan.rows], turning[plan.rows]
            places = None if places is None else places[plan.rows]
            speeds = None if speeds is None else speeds[plan.rows]
        # vectors are rows here: x Rz(psi) = (Rz(-psi) x^T)^T
        rotations = world_R_here.T @ rotations @ plan.raw_R_here
        turning = turning @ world_R_here
        if places is not None:
            places = (places - self.origin) @ world_R_here
        if speeds is not None:
            speeds = speeds @ world_R_here
        if plan.offsets is not None and places is not None:
            lever = (rotations @ plan.offsets)[..., 0]
            places += lever
            if speeds is not None:
                speeds += turning[:, _NEXT] * lever[:, _LAST]
                speeds -= turning[:, _LAST] * lever[:, _NEXT]
        return HumanFrame(
            stamp=raw.stamp,
            segments=plan.segments,
            rotations=rotations,
            angular_velocities=turning,
            positions=places,
            linear_velocities=speeds,
            sequence=raw.sequence,
        )

    def _make_plan(self, shown: tuple[str, ...]) -> _Plan:
        known = [name for name in shown if name in self.segments]
        if not known:
            raise BadFrame(
                f"none of {', '.join(shown) or 'no segments'} was calibrated: "
                "calibrate with this source"
            )
        own = [self.segments.index(name) for name in known]
        offsets = self.offsets[own]
        rows = [shown.index(name) for name in known]
        plan = _Plan(
            segments=tuple(known),
            rows=None if len(known) == len(shown) else rows,
            raw_R_here=np.swapaxes(self.neutral[own], -1, -2) @ self._world_R_here,
            offsets=offsets[..., None] if np.any(offsets) else None,
        )
        if len(self._plans) >= MOST_PLANS:
            self._plans.clear()
        self._plans[shown] = plan
        return plan
