"""Who may use the page: real requests on real sockets."""

from __future__ import annotations

import contextlib
import io
import socket
from collections.abc import Iterator

import pytest
from telexist.teleop.viewers.web.page_address import is_loopback
from telexist.teleop.viewers.web.page_guard import MAX_CLIENTS, PageGuard, guarded

viser = pytest.importorskip("viser")
client = pytest.importorskip("websockets.sync.client")
exceptions = pytest.importorskip("websockets.exceptions")

TOKEN = "a-long-secret"
PROTOCOL = f"viser-v{viser.__version__}"


def served(token: str) -> Iterator[int]:
    with guarded(PageGuard(token)):
        server = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    yield int(server.get_port())
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()


@pytest.fixture(scope="module")
def secret() -> Iterator[int]:
    yield from served(TOKEN)


@pytest.fixture(scope="module")
def local() -> Iterator[int]:
    yield from served("")


def answer(port: int, path: str = "/", **headers: str) -> tuple[int, str]:
    """Send one request and return the status and the whole answer."""
    lines = {"Host": f"127.0.0.1:{port}", "Connection": "close"} | headers
    text = "".join(f"{k.replace('_', '-')}: {v}\r\n" for k, v in lines.items())
    with socket.create_connection(("127.0.0.1", port), timeout=60.0) as stream:
        stream.sendall(f"GET {path} HTTP/1.1\r\n{text}\r\n".encode())
        received = b""
        while piece := stream.recv(1 << 16):
            received += piece
    return int(received.split()[1]), received.decode(errors="replace")


def connect(port: int, **headers: str) -> contextlib.AbstractContextManager:
    return client.connect(
        f"ws://127.0.0.1:{port}",
        subprotocols=[PROTOCOL],
        additional_headers=headers,
        max_size=None,
        open_timeout=60.0,
    )


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {}),
        ("/?token=", {}),
        ("/?token=a-long-secre", {}),
        ("/?token=a-long-secret-and-more", {}),
        ("/assets/index.js", {}),
        ("/", {"Cookie": "telexist=wrong"}),
        ("/", {"Cookie": "other=a-long-secret"}),
        ("/", {"Cookie": ";;=;"}),
        ("/?token=%ff%fe", {}),
        ("/%2e%2e/?token", {}),
    ],
)
def test_without_the_token_there_is_nothing(
    secret: int, path: str, headers: dict[str, str]
) -> None:
    status, text = answer(secret, path, **headers)
    assert status == 403
    assert "<html" not in text.lower()


def test_the_token_becomes_a_cookie_that_opens_the_page(secret: int) -> None:
    status, text = answer(secret, f"/?token={TOKEN}")
    assert status == 303
    assert "HttpOnly" in text
    assert "Location: /\r\n" in text
    cookie = next(k for k in text.split("\r\n") if k.startswith("Set-Cookie: "))
    pair = cookie.removeprefix("Set-Cookie: ").split(";")[0]
    status, text = answer(secret, Cookie=pair)
    assert status == 200
    assert "<html" in text.lower()


def test_web_sockets_need_the_cookie(secret: int) -> None:
    with pytest.raises(exceptions.InvalidStatus, match="403"), connect(secret):
        pass
    with connect(secret, Cookie=f"telexist={TOKEN}") as stream:
        assert stream.recv(timeout=60.0)


def test_other_web_pages_cannot_press_our_buttons(secret: int, local: int) -> None:
    for port, cookie in ((secret, f"telexist={TOKEN}"), (local, "")):
        evil = {"Cookie": cookie, "Origin": "http://evil.example"}
        with (
            pytest.raises(exceptions.InvalidStatus, match="403"),
            connect(port, **evil),
        ):
            pass
        good = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"}
        with connect(port, **good) as stream:
            assert stream.recv(timeout=60.0)


def test_on_loopback_only_names_of_this_machine_work(local: int) -> None:
    assert answer(local)[0] == 200
    assert answer(local, Host=f"localhost:{local}")[0] == 200
    assert answer(local, Host="rebound.example")[0] == 403
    assert answer(local, Host="[::1")[0] == 403


def test_broken_browsers_do_not_disturb_others(local: int) -> None:
    with connect(local) as good:
        assert good.recv(timeout=60.0)
        for rubbish in (b"", b"\x00" * 100, b"\xff\xfe", b"\x81\xa4type\xa3Foo"):
            with connect(local) as bad, contextlib.suppress(Exception):
                bad.send(rubbish)
                bad.recv(timeout=0.2)
        with connect(local) as bad, contextlib.suppress(Exception):
            bad.send(b"\x00" * (2 << 20))  # larger than any message of a browser
            bad.recv(timeout=0.2)
        with socket.create_connection(("127.0.0.1", local), timeout=60.0) as stream:
            stream.sendall(b"\x16\x03\x01 not even HTTP\r\n\r\n")
        assert good.ping().wait(60.0)
        assert answer(local)[0] == 200


def test_there_is_room_for_a_few_browsers_only(local: int) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(MAX_CLIENTS):
            assert stack.enter_context(connect(local)).recv(timeout=60.0)
        one_more = stack.enter_context(connect(local))
        with pytest.raises(exceptions.ConnectionClosed, match="too many"):
            one_more.recv(timeout=60.0)


def test_loopback_is_told_from_the_world() -> None:
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.8.8.8", "::1")))
    assert not any(map(is_loopback, ("", "0.0.0.0", "::", "10.0.0.1", "example.org")))
