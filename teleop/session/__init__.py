"""A whole session from a plan: wires devices, loop, robot, recording and page."""

from telexist.teleop.session.capture_run import run_capture
from telexist.teleop.session.file import SessionFile, load_session_file
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.session.session import Session
from telexist.teleop.session.source_traits import source_traits
from telexist.teleop.session.watch_session import WatchSession

__all__ = [
    "Session",
    "SessionFile",
    "SessionPlan",
    "WatchSession",
    "load_session_file",
    "run_capture",
    "source_traits",
]
