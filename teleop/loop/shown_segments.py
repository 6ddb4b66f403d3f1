"""What a source shows of a person, and what of it is missing in a frame."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.signals import HumanFrame

__all__ = ["ShownSegments"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSegments:
    """The segments of a frame, and whether it says where they are."""

    segments: tuple[str, ...]
    placed: bool

    @staticmethod
    def of(frame: HumanFrame) -> ShownSegments:
        """Return what a frame shows."""
        return ShownSegments(
            segments=frame.segments, placed=frame.positions is not None
        )

    def missing_in(self, frame: HumanFrame) -> str:
        """Return what of this a frame does not show, in words; "" for nothing."""
        missing = [name for name in self.segments if name not in frame.segments]
        if self.placed and frame.positions is None:
            missing.append("where the segments are")
        return ", ".join(missing)

    def of_this_in(self, frame: HumanFrame) -> HumanFrame:
        """Return the frame without what it shows beyond this."""
        rows = [frame.segments.index(name) for name in self.segments]
        places, speeds = frame.positions, frame.linear_velocities
        if not self.placed:
            places = speeds = None
        return HumanFrame(
            stamp=frame.stamp,
            segments=self.segments,
            rotations=frame.rotations[rows],
            angular_velocities=frame.angular_velocities[rows],
            positions=None if places is None else places[rows],
            linear_velocities=None if speeds is None else speeds[rows],
            sequence=frame.sequence,
        )
