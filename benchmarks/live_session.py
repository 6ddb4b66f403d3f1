"""A live session that is measured: a suit's simulator in another process drives it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from benchmarks.browser import open_in_browser
from calibration.operator_profile import OperatorProfile
from calibration.profile_file import save_profile
from retarget.recordings.builtin import builtin_clip
from teleop.devices.network_device import NetworkDevice
from teleop.real_time import for_others
from teleop.session import Session
from teleop.session_plan import SessionPlan
from teleop.summary import Summary
from teleop.tick import TickSink

__all__ = ["LiveOptions", "LiveRun", "run_live"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveOptions:
    """What is measured.

    Attributes:
        robot: Name of the robot.
        rate: Samples a second of the suit [Hz].
        duration: Of the session [s].
        page: Whether the page is served.
        browser: Whether a browser looks at it.
        models: Folders of robot models.
    """

    robot: str = "icub"
    rate: float = 200.0
    duration: float = 15.0
    page: bool = True
    browser: bool = False
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRun:
    """What came out: the figures, and the recording."""

    summary: Summary
    recording: Path


def run_live(
    options: LiveOptions,
    folder: Path,
    sinks: Sequence[TickSink] = (),
    started: Callable[[int], None] | None = None,
) -> LiveRun:
    """Run a session with recording, and return its figures.

    Args:
        options: What is measured.
        folder: For the recording and the operator's profile.
        sinks: See every turn too.
        started: Told the simulator's process number once all is running.

    Raises:
        TelexistError: If the session cannot be opened.
    """
    session = Session(_plan(options, folder), sinks)
    session.open()
    source = session.loop.input.source
    if not isinstance(source, NetworkDevice) or session.recorder is None:
        raise TypeError("a measured session has a suit and a recording")
    with _browser(session, options), _suit(source.port, options.rate) as process:
        if started is not None:
            started(process)
        summary = session.run(options.duration)
    return LiveRun(summary=summary, recording=session.recorder.path)


def _plan(options: LiveOptions, folder: Path) -> SessionPlan:
    profile = folder / "operator.toml"
    save_profile(OperatorProfile.identity(builtin_clip().size, "simulated"), profile)
    return SessionPlan(
        robot=options.robot,
        folders=options.models,
        source="xsens:127.0.0.1:0",
        operator=str(profile),
        record=folder,
        page=options.page,
        port=0,
        engage=True,
    )


def _browser(session: Session, options: LiveOptions) -> AbstractContextManager[None]:
    if session.page is None or not options.browser:
        return nullcontext()
    return open_in_browser(session.page.url)


@contextmanager
def _suit(port: int, rate: float) -> Iterator[int]:
    """Play a suit whose frames need no calibration; yield its process number."""
    words = ["simulate", "xsens", "builtin", "--to", f"127.0.0.1:{port}"]
    words += ["--rate", f"{rate:g}", "--set", "frames=n-pose"]
    command = [sys.executable, "-m", "launch_scripts.telexist", *words]
    with for_others():
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait()
