"""Sessions on disk: recorded while they run, read back, repeated, exported."""

from teleop.recording.session_header import SessionHeader
from teleop.recording.session_reader import SessionReader
from teleop.recording.session_recorder import SessionRecorder, session_path

__all__ = ["SessionHeader", "SessionReader", "SessionRecorder", "session_path"]
