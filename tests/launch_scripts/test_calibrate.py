"""`telexist calibrate`: a simulated suit over a real socket, and what is refused."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from telexist.calibration.profile_file import load_profile
from telexist.launch_scripts.telexist import main
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.teleop import clock
from telexist.teleop.devices.person.simulated_operator import SimulatedOperator
from telexist.teleop.devices.simulators.links.links import UdpLink
from telexist.teleop.devices.simulators.senders.mvn_sender import MvnSender

RATE = 60.0
STARVED = ("check the network", "no frame")  # what a stream with gaps is told
QUICK = ["--countdown", "0", "--duration", "1"]


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "telexist" / "operators"


@pytest.fixture
def port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Suit:
    """A suit that streams until it is closed."""

    def __init__(self, port: int, *, n_pose: float) -> None:
        self._operator = SimulatedOperator(
            builtin_clip(), height=1.62, heading=2.0, n_pose=n_pose
        )
        self._link = UdpLink(("127.0.0.1", port))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._send)
        self._thread.start()

    def _send(self) -> None:
        sender = MvnSender(kinds=("02",), parts=1)
        for k, pose in enumerate(self._operator.poses(RATE)):
            for message in sender.messages(pose, k, self._operator.size):
                self._link.send(message)
            if self._stop.wait(1.0 / RATE):
                return

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self._link.close()


@pytest.fixture
def suit(port: int) -> Iterator[Suit]:
    streaming = Suit(port, n_pose=300.0)
    yield streaming
    streaming.close()


Ran = tuple[int, str, str]


@pytest.fixture
def calibrate(suit: Suit, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Return a function that runs the command; it gives code, output and errors.

    A busy machine leaves gaps in the stream, for which the command refuses it and
    asks to check the network: then it is run again, as a person would.
    """

    def run(*words: str) -> Ran:
        for _ in range(20):
            code = main(["calibrate", *words, *QUICK])
            said = capsys.readouterr()
            if not any(sign in said.err for sign in STARVED):
                return code, said.out, said.err
        raise AssertionError(said.err)

    return run


def test_an_operator_is_measured_and_kept(
    calibrate: Callable[..., Ran], port: int, config: Path
) -> None:
    code, out, _ = calibrate("--source", f"xsens:{port}", "--operator", "anna")
    assert code == 0
    profile = load_profile(config / "anna.toml")
    assert profile.size.height == pytest.approx(1.62, abs=0.03)
    assert profile.heading == pytest.approx(2.0, abs=0.01)
    assert "telexist teleoperate" in out and "--operator anna" in out
    assert "LeftForeArm" in out


def test_a_file_may_be_named(
    calibrate: Callable[..., Ran], port: int, tmp_path: Path
) -> None:
    path = tmp_path / "somewhere" / "anna.toml"
    code, _, _ = calibrate("--source", f"xsens:{port}", "--operator", str(path))
    assert code == 0
    assert load_profile(path).source == f"xsens:{port}"


def test_a_wrong_pose_is_refused_and_nothing_is_kept(
    calibrate: Callable[..., Ran], port: int, config: Path
) -> None:
    words = ("--source", f"xsens:{port}", "--operator", "anna", "--pose", "t")
    code, _, err = calibrate(*words)
    assert code == 1
    assert "refused: LeftUpperArm" in err
    assert not config.exists()


def test_silence_is_refused(port: int, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["calibrate", "--source", f"xsens:{port}", "--operator", "anna", *QUICK]
    began = clock.now()
    assert main(words) == 1
    assert clock.now() - began >= 1.0
    assert "no frame arrived" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--source", "builtin", "--operator", "anna"], "calibrated already"),
        (["--source", "xsens", "--operator", "../anna"], "no operator's name"),
        (["--source", "teapot", "--operator", "anna"], "teapot"),
        (["--source", "keyboard", "--operator", "anna"], "shows no person"),
        (["--source", "xsens"], "--operator"),
        (["--source", "xsens", "--operator", "a", "--height", "17"], "17"),
        (["--source", "xsens", "--operator", "a", "--pose", "x"], "pose"),
    ],
)
def test_mistakes_are_said_in_one_line(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *words]) in (1, 2)
    err = [line for line in capsys.readouterr().err.splitlines() if "error" in line]
    assert len(err) == 1 and says in err[0]
