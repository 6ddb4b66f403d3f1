"""Who can reach a running session: nobody beyond this machine, unless asked for."""

from __future__ import annotations

import contextlib
import os
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from telexist.retarget.robot_body import RobotBody
from telexist.teleop.devices.base.options import DeviceOptions
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.session.session import Session
from telexist.teleop.settings.settings import LoopSettings, SessionSettings

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="Linux tells more"),
]
LISTENS = "0A"  # state of a TCP socket in /proc/net/tcp
LOOPBACK = re.compile(r"0100007F|0{24}01000000|0{16}FFFF00000100007F")


def _processes(process: int) -> Iterator[int]:
    yield process
    for task in _entries(f"/proc/{process}/task"):
        with contextlib.suppress(OSError):  # a thread that has ended
            for child in (task / "children").read_text().split():
                yield from _processes(int(child))


def _sockets(process: int) -> Iterator[str]:
    for link in _entries(f"/proc/{process}/fd"):
        with contextlib.suppress(OSError):  # a file that was closed
            found = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(link))
            if found:
                yield found[1]


def _entries(folder: str) -> list[Path]:
    """Return what is in a folder; nothing if its process has ended."""
    try:
        return list(Path(folder).iterdir())
    except OSError:
        return []


def listening() -> dict[str, dict[str, str]]:
    """Return the sockets at which we and our children can be reached.

    By kind: the number of each to its hexadecimal address.
    """
    ours = {s for process in _processes(os.getpid()) for s in _sockets(process)}
    found: dict[str, dict[str, str]] = {}
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/net/{kind}").read_text().splitlines()[1:]:
            words = line.split()
            address, state, inode = words[1].partition(":")[0], words[3], words[9]
            if inode in ours and (kind.startswith("udp") or state == LISTENS):
                found.setdefault(kind, {})[inode] = address
    return found


@pytest.fixture
def opened(
    body_of: Callable[[str], RobotBody],
) -> Iterator[Callable[..., Session]]:
    body_of("icub")
    made: list[Session] = []

    def make(**options: object) -> Session:
        settings = SessionSettings(loop=LoopSettings(real_time=False))
        plan = SessionPlan(
            backend="fake",
            settings=settings,
            page=True,
            port=0,
            **options,  # type: ignore[arg-type]
        )
        made.append(Session(plan))
        made[-1].open()
        return made[-1]

    yield make
    for session in made:
        session.close()


def test_with_usual_options_nothing_listens_beyond_this_machine(
    opened: Callable[..., Session],
) -> None:
    pytest.importorskip("viser")
    before = listening()
    opened(source="xsens:0", inputs=("cyberith:0",))
    others = [
        make_device(text, DeviceOptions()) for text in ("vmc:0", "xsens:0?protocol=tcp")
    ]
    for device in others:
        device.open(lambda: None)
    now = listening()
    for device in others:
        device.close()
    new = {
        kind: [a for n, a in places.items() if n not in before.get(kind, {})]
        for kind, places in now.items()
    }
    assert len(new["udp"]) >= 3
    assert len(new["tcp"]) >= 2  # TCP source and page
    assert all(LOOPBACK.fullmatch(a) for places in new.values() for a in places), new


def _answer(port: int, path: str) -> str:
    with socket.create_connection(("127.0.0.1", port), timeout=60.0) as stream:
        host = f"Host: 127.0.0.1:{port}\r\nConnection: close"
        stream.sendall(f"GET {path} HTTP/1.1\r\n{host}\r\n\r\n".encode())
        received = b""
        while piece := stream.recv(1 << 16):
            received += piece
    return received.decode(errors="replace").partition("\r\n")[0]


def test_an_exposed_page_wants_its_token(opened: Callable[..., Session]) -> None:
    pytest.importorskip("viser")
    session = opened(host="0.0.0.0")
    assert session.page is not None
    url = urlsplit(session.page.url)
    assert "token=" in url.query
    assert url.port is not None
    assert " 403 " in _answer(url.port, "/")
    assert " 403 " in _answer(url.port, "/?token=guess")
    assert " 303 " in _answer(url.port, f"/?{url.query}")
