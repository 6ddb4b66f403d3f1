"""Sessions in one crash-safe file: written beside the loop, read with suspicion."""

from telexist.teleop.recording.channels import CHANNELS, Channel
from telexist.teleop.recording.recorded_capture import (
    EndedCapture,
    RecordedCapture,
    recorded_ends,
)
from telexist.teleop.recording.recorded_profile import (
    RecordedProfiles,
    recorded_profile,
)
from telexist.teleop.recording.recorder_events import RecorderEvents
from telexist.teleop.recording.session_header import SessionHeader, start_header
from telexist.teleop.recording.session_reader import SessionReader
from telexist.teleop.recording.session_recorder import SessionRecorder, session_path

__all__ = [
    "CHANNELS",
    "Channel",
    "EndedCapture",
    "RecordedCapture",
    "RecordedProfiles",
    "RecorderEvents",
    "SessionHeader",
    "SessionReader",
    "SessionRecorder",
    "recorded_ends",
    "recorded_profile",
    "session_path",
    "start_header",
]
