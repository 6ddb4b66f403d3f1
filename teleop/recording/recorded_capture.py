"""Calibrations of a recorded session: they end again as they ended then."""

from __future__ import annotations

from collections.abc import Callable

from telexist.calibration import Capture, CapturePhase, CaptureStatus, OperatorProfile
from telexist.retarget.human_size import HumanSize
from telexist.retarget.signals import HumanFrame
from telexist.teleop.recording.recorded_profile import RecordedProfiles
from telexist.teleop.recording.session_reader import SessionReader
from telexist.teleop.terms import Request, Tick

__all__ = ["EndedCapture", "RecordedCapture", "recorded_ends"]

REFUSED = "it was refused in the recorded session too"


class RecordedCapture(Capture):
    """Ends in the turn in which it ended, with the profile that was used from then."""

    def __init__(
        self, profiles: RecordedProfiles, turn: Callable[[], Tick | None]
    ) -> None:
        """Take the session's profiles, and who knows the turn that is repeated."""
        super().__init__()
        self._profiles, self._turn = profiles, turn

    def update(
        self, frame: HumanFrame | None, now: float, *, size: HumanSize | None = None
    ) -> CaptureStatus:
        """Return how it stood in this turn; nothing is measured again."""
        turn = self._turn()
        events = () if turn is None else turn.events
        if turn is not None and any(event.kind == "calibrated" for event in events):
            return _ended(self._profiles.at(turn.number))
        reasons = [e.reason for e in events if e.kind == "calibration_refused"]
        phase = CapturePhase.REFUSED if reasons else CapturePhase.CAPTURING
        return CaptureStatus(phase=phase, reasons=tuple(reasons))


class EndedCapture(Capture):
    """Ends at once, as it is known to have ended."""

    def __init__(self, profile: OperatorProfile | None) -> None:
        """Take the profile; None if it was refused."""
        super().__init__()
        self._status = _ended(profile)

    def update(
        self, frame: HumanFrame | None, now: float, *, size: HumanSize | None = None
    ) -> CaptureStatus:
        """Return the end."""
        return self._status


def recorded_ends(
    reader: SessionReader, profiles: RecordedProfiles
) -> tuple[OperatorProfile | None, ...]:
    """Return how each calibration ended that was asked for; None where refused.

    Raises:
        BadRecording: If a message is wrong.
    """
    ends: list[OperatorProfile | None] = []
    for channel, fields in reader.messages("input", "events"):
        if channel == "input":
            ends += [None] * fields["requests"].count(Request.CALIBRATE.value)
        elif fields["kind"] == "calibrated" and ends:
            ends[-1] = profiles.at(fields["tick"])
    return tuple(ends)


def _ended(profile: OperatorProfile | None) -> CaptureStatus:
    if profile is None:
        return CaptureStatus(phase=CapturePhase.REFUSED, reasons=(REFUSED,))
    return CaptureStatus(phase=CapturePhase.DONE, progress=1.0, profile=profile)
