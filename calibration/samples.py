"""The frames of a capture as arrays, and what is wrong with them as a stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.calibration.capture_settings import CaptureSettings
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array

__all__ = ["NEEDED", "SegmentSamples", "find_samples", "stream_faults"]

NEEDED = ("LeftHand", "RightHand")
"""Segments, with one of `TRUNK`, without which nothing can be driven; a forearm stands
in for its hand."""

TRUNK = ("Pelvis", "T8", "Head")
STAND_IN = {"LeftHand": "LeftForeArm", "RightHand": "RightForeArm"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentSamples:
    """All samples of one segment.

    Attributes:
        segment: Its name.
        time: When (k,) [s].
        rotations: world_R_raw (k, 3, 3).
        positions: (k, 3) [m], or None.
    """

    segment: str
    time: Array
    rotations: Array
    positions: Array | None

    @property
    def frozen(self) -> bool:
        """Whether all samples are the same to the last bit."""
        same = bool(np.all(self.rotations == self.rotations[0]))
        if self.positions is not None:
            same &= bool(np.all(self.positions == self.positions[0]))
        return same


def find_samples(frames: Sequence[HumanFrame]) -> tuple[SegmentSamples, ...]:
    """Sort frames by segment; a segment has places only if all its samples do."""
    placed = all(frame.positions is not None for frame in frames)
    found = []
    for segment in SEGMENTS:
        rows = [
            (frame, frame.segments.index(segment))
            for frame in frames
            if segment in frame.segments
        ]
        if not rows:
            continue
        places = [f.positions[k] for f, k in rows if f.positions is not None]
        found.append(
            SegmentSamples(
                segment=segment,
                time=np.array([f.stamp for f, _ in rows]),
                rotations=np.array([f.rotations[k] for f, k in rows]),
                positions=np.array(places) if placed else None,
            )
        )
    return tuple(found)


def stream_faults(
    frames: Sequence[HumanFrame],
    samples: Sequence[SegmentSamples],
    duration: float,
    settings: CaptureSettings,
) -> tuple[str, ...]:
    """Say what is wrong with the stream itself, one line each; nothing if all is well.

    Args:
        frames: All frames of the capture.
        samples: The same by segment.
        duration: Of the capture [s].
        settings: What is allowed.
    """
    if not frames:
        return ("no frame arrived: is the device on and streaming?",)
    time = np.array([frame.stamp for frame in frames])
    faults = [*_timing(time, duration, settings)]
    shown = {s.segment: len(s.time) for s in samples}
    faults += _missing(shown)
    for segment, count in shown.items():
        lost = len(frames) - count
        if lost > settings.max_missing * len(frames):
            line = f"{segment}: missing in {lost} of {len(frames)} frames"
            faults.append(f"{line}: keep it in view")
    return (*faults, *_frozen(samples))


def _timing(time: Array, duration: float, settings: CaptureSettings) -> list[str]:
    rate = len(time) / duration
    if len(time) < settings.min_samples or rate < settings.min_rate:
        least = max(settings.min_samples, int(np.ceil(settings.min_rate * duration)))
        line = f"only {len(time)} frames in {duration:.1f} s, at least {least} needed"
        return [f"{line}: check the network"]
    gaps: NDArray[np.float64] = np.diff(time)
    if gaps.max(initial=0.0) > settings.max_gap:
        return [f"no frame for {gaps.max():.2f} s in between: check the network"]
    return []


def _missing(shown: dict[str, int]) -> list[str]:
    faults = [
        f"{segment}: missing: the source must show it"
        for segment in NEEDED
        if segment not in shown and STAND_IN[segment] not in shown
    ]
    if not any(segment in shown for segment in TRUNK):
        faults.append(f"{TRUNK[0]}: missing, and {TRUNK[1]} and {TRUNK[2]} too")
    return faults


def _frozen(samples: Sequence[SegmentSamples]) -> list[str]:
    """Name what does not change at all: a sensor has noise, a person breathes.

    Avatars may have parts that nobody tracks, which stand still while others move.
    """
    if samples and all(s.frozen for s in samples):
        return ["frozen input: all samples are the same: is the device streaming?"]
    return [
        f"{s.segment}: frozen: {len(s.time)} samples are the same: is it tracked?"
        for s in samples
        if s.segment in ("Head", *NEEDED) and s.frozen and len(s.time) > 1
    ]
