"""The operator's profile that a session was driven with."""

from __future__ import annotations

import tempfile
from pathlib import Path

from calibration.operator_profile import OperatorProfile
from calibration.profile_file import load_profile
from retarget.errors import BadInput, BadRecording
from teleop.recording.session_reader import SessionReader

__all__ = ["first_profile", "recorded_profile"]


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


def first_profile(reader: SessionReader) -> OperatorProfile | None:
    """Return the profile with which a session began, or None if it began without.

    Raises:
        BadRecording: If it is damaged.
    """
    for _, fields in reader.messages("calibration"):
        return _profile(reader, fields["text"]) if fields["tick"] == 0 else None
    return None


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
