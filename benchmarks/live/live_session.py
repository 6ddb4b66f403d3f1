"""A live session that is measured: a suit's simulator in another process drives it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from telexist.benchmarks.live.browser import open_in_browser
from telexist.calibration import OperatorProfile, save_profile
from telexist.retarget.errors import DeviceLost
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.teleop import clock
from telexist.teleop.devices.network import NetworkDevice, UdpSource
from telexist.teleop.loop import for_others
from telexist.teleop.session import Session, SessionPlan
from telexist.teleop.sinks import Summary
from telexist.teleop.terms import Request, State, Tick, TickSink

__all__ = ["LiveOptions", "LiveRun", "PatientOperator", "run_live"]

PATIENCE = 120.0  # [s] until the suit sends


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveOptions:
    """What is measured.

    Attributes:
        robot: Name of the robot.
        rate: Samples a second of the suit [Hz].
        duration: Of the session [s].
        page: Whether the page is served.
        browser: Whether a browser looks at it.
        patience: How long the operator waits before engaging a robot again that was
            held [s]; None: it stays held.
        models: Folders of robot models.
    """

    robot: str = "icub"
    rate: float = 200.0
    duration: float = 15.0
    page: bool = True
    browser: bool = False
    patience: float | None = None
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRun:
    """What came out: the figures, and the recording."""

    summary: Summary
    recording: Path


class PatientOperator:
    """A sink that engages a robot again some time after it was held.

    Attributes:
        ask: Takes requests.
    """

    def __init__(self, patience: float | None) -> None:
        """Take how long to wait [s]; None: for ever."""
        self._patience = float("inf") if patience is None else patience
        self._held_since = float("inf")
        self.ask: Callable[[Request], None] = lambda _: None

    def put(self, tick: Tick) -> None:
        """Look at one turn."""
        if tick.state is not State.HOLDING:
            self._held_since = float("inf")
            return
        self._held_since = min(self._held_since, tick.stamp)
        if tick.stamp - self._held_since > self._patience and tick.targets is not None:
            self._held_since = tick.stamp
            self.ask(Request.ENGAGE)

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""


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
    operator = PatientOperator(options.patience)
    session = Session(_plan(options, folder), [*sinks, operator])
    operator.ask = session.request
    session.open()
    source = session.loop.input.source
    if not isinstance(source, NetworkDevice) or session.recorder is None:
        raise TypeError("a measured session has a suit and a recording")
    browser, suit = _browser(session, options), _suit(source.port, options.rate)
    with closing(session), browser, suit as process:
        _wait_for_samples(source)
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


def _wait_for_samples(device: NetworkDevice) -> None:
    """Wait until the suit sends: a busy machine takes its time to begin a program.

    Raises:
        DeviceLost: If it never does.
    """
    end = clock.now() + PATIENCE
    while isinstance(device.source, UdpSource) and device.source.accepted is None:
        if clock.now() > end:
            raise DeviceLost(f"{device.name}: the simulated suit does not send")
        clock.sleep(0.02)


@contextmanager
def _suit(port: int, rate: float) -> Iterator[int]:
    """Play a suit whose frames need no calibration; yield its process number."""
    words = ["simulate", "xsens", "builtin", "--to", f"127.0.0.1:{port}"]
    words += ["--rate", f"{rate:g}", "--set", "frames=n-pose"]
    command = [sys.executable, "-m", "telexist.launch_scripts.telexist", *words]
    with for_others():
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait()
