"""The operator stands still for some seconds; what is seen becomes a profile.

```
COUNTING -> CAPTURING -> DONE (a profile) or REFUSED (reasons)
```

A `Capture` has no clock and no device: it is fed with raw frames and the time, by the
loop of a session or by `telexist calibrate`.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, replace

from telexist.calibration.capture_settings import CaptureSettings
from telexist.calibration.fit_profile import CaptureConditions, fit_profile
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.samples import find_samples, stream_faults
from telexist.calibration.source_traits import SourceTraits
from telexist.calibration.standing_pose import POSES
from telexist.retarget.errors import BadFrame, BadInput, CalibrationRefused
from telexist.retarget.human_size import HumanSize
from telexist.retarget.signals import HumanFrame

__all__ = ["Capture", "CapturePhase", "CaptureStatus"]

MOST_SECONDS = 60.0  # of countdown and of capture
MOST_SAMPLES = 20_000
HEIGHT = (0.5, 3.0)  # [m] of anybody


class CapturePhase(enum.Enum):
    """Where a capture stands."""

    COUNTING = "counting down"
    CAPTURING = "capturing"
    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureStatus:
    """What to tell the operator.

    Attributes:
        phase: Where the capture stands.
        remaining: Until the phase ends [s]; 0 at the end.
        progress: Share of the capture that is over, in [0, 1].
        samples: Frames captured so far.
        profile: The result, once it is done.
        reasons: Why it was refused, one line each.
    """

    phase: CapturePhase
    remaining: float = 0.0
    progress: float = 0.0
    samples: int = 0
    profile: OperatorProfile | None = None
    reasons: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.phase in (CapturePhase.DONE, CapturePhase.REFUSED)


class Capture:
    """One calibration, from the first `update` until its status is over."""

    def __init__(
        self,
        *,
        pose: str = "n",
        countdown: float = 3.0,
        duration: float = 2.0,
        operator: str = "operator",
        source: str = "",
        traits: SourceTraits | None = None,
        height: float | None = None,
        size: HumanSize | None = None,
        heading: float | None = None,
        settings: CaptureSettings | None = None,
    ) -> None:
        """Prepare a capture.

        Args:
            pose: "n" (arms down) or "t" (arms sideways, palms down).
            countdown: Before the capture, for the operator to get ready [s].
            duration: Of the capture [s].
            operator: Name of the operator.
            source: Name of the device.
            traits: What is known of the source's frames; nothing if None.
            height: Stature of the operator if stated [m].
            size: The operator's joints, if the source knows them: a scale message.
            heading: Where the operator faces if stated [rad].
            settings: Thresholds.

        Raises:
            BadInput: If a value is out of range.
        """
        if pose not in POSES:
            raise BadInput(f"no pose called '{pose}': known: {', '.join(POSES)}")
        _require("a countdown", countdown, 0.0, MOST_SECONDS, "s")
        _require("a duration", duration, 0.5, MOST_SECONDS, "s")
        if height is not None:
            _require("a height", height, *HEIGHT, "m")
        if heading is not None and not math.isfinite(heading):
            raise BadInput("a heading must be finite")
        self._stance = CaptureConditions(
            pose=pose,
            operator=operator,
            source=source,
            traits=traits or SourceTraits(),
            height=height,
            size=size,
            heading=heading,
            settings=settings or CaptureSettings(),
        )
        self._countdown, self._duration = countdown, duration
        self._start: float | None = None
        self._frames: list[HumanFrame] = []
        self._final: CaptureStatus | None = None

    def update(
        self, frame: HumanFrame | None, now: float, *, size: HumanSize | None = None
    ) -> CaptureStatus:
        """Take what is new.

        Args:
            frame: A raw frame that arrived since the last call, or None.
            now: Time of the session's clock [s].
            size: The operator's joints, if the source has come to know them.

        Returns:
            Where the capture stands; after its end always the same.
        """
        if self._final is not None:
            return self._final
        if size is not None:
            self._stance = replace(self._stance, size=size)
        if self._start is None:
            self._start = now + self._countdown
        if now < self._start:
            return CaptureStatus(
                phase=CapturePhase.COUNTING, remaining=self._start - now
            )
        fault = self._take(frame)
        left = self._start + self._duration - now
        if fault or left <= 0.0:
            self._final = _refused(fault) if fault else self._finish()
            return self._final
        return CaptureStatus(
            phase=CapturePhase.CAPTURING,
            remaining=left,
            progress=1.0 - left / self._duration,
            samples=len(self._frames),
        )

    def _take(self, frame: HumanFrame | None) -> str:
        """Keep a frame; return what is wrong with it."""
        if frame is None or len(self._frames) >= MOST_SAMPLES:
            return ""
        try:
            frame.require_finite()
        except BadFrame as error:
            return f"{error}: check the sensor"
        if self._frames and frame.stamp < self._frames[-1].stamp:
            return "time went backwards: check the source"
        if not self._frames or frame.stamp > self._frames[-1].stamp:
            self._frames.append(frame)
        return ""

    def _finish(self) -> CaptureStatus:
        samples = find_samples(self._frames)
        settings = self._stance.settings
        faults = stream_faults(self._frames, samples, self._duration, settings)
        if faults:
            return _refused(*faults)
        try:
            profile = fit_profile(samples, self._stance)
        except CalibrationRefused as error:
            return _refused(*error.reasons)
        return CaptureStatus(
            phase=CapturePhase.DONE,
            progress=1.0,
            samples=len(self._frames),
            profile=profile,
        )


def _refused(*reasons: str) -> CaptureStatus:
    return CaptureStatus(phase=CapturePhase.REFUSED, reasons=reasons)


def _require(what: str, value: float, low: float, high: float, unit: str) -> None:
    if not (math.isfinite(value) and low <= value <= high):
        raise BadInput(f"{what} lies between {low:g} and {high:g} {unit}, not {value}")
