"""The operator's profile that a session was driven with."""

from __future__ import annotations

import tempfile
from pathlib import Path

from telexist.calibration import OperatorProfile, load_profile
from telexist.retarget.errors import BadInput, BadRecording
from telexist.teleop.recording.session_reader import SessionReader

__all__ = ["RecordedProfiles", "recorded_profile"]


def recorded_profile(reader: SessionReader) -> OperatorProfile:
    """Return the last profile of a session.

    Raises:
        BadRecording: If none was recorded, or it is damaged.
    """
    text = reader.text("calibration")
    if not text:
        problem = "no operator profile was recorded: the operator's size is unknown"
        raise BadRecording(reader.path, problem)
    return _profile(reader, text)


class RecordedProfiles:
    """The profiles of a session, in the order in which they were used."""

    def __init__(self, reader: SessionReader) -> None:
        """Read all of them.

        Raises:
            BadRecording: If one is damaged.
        """
        self._found = [
            (int(fields["tick"]), _profile(reader, fields["text"]))
            for _, fields in reader.messages("calibration")
        ]

    @property
    def first(self) -> OperatorProfile | None:
        """The profile with which the session began, or None if it began without."""
        return self.at(0)

    @property
    def last(self) -> OperatorProfile | None:
        """The profile with which the session ended, or None if there was none."""
        return self._found[-1][1] if self._found else None

    def at(self, turn: int) -> OperatorProfile | None:
        """Return the profile that was in use after a turn, or None."""
        used = [profile for begin, profile in self._found if begin <= turn]
        return used[-1] if used else None


def _profile(reader: SessionReader, text: str) -> OperatorProfile:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "operator.toml"
        path.write_text(text, encoding="utf-8")
        try:
            return load_profile(path)
        except BadInput as error:
            problem = str(error).removeprefix(f"{path}: ")
            place = "operator profile"
            raise BadRecording(reader.path, problem, place=place) from error
