"""Who may use the page: real requests on real sockets."""

from __future__ import annotations

import contextlib
import importlib
import io
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from telexist.retarget.errors import BadInput
from telexist.teleop.viewers.web.browser_beats import BrowserBeats
from telexist.teleop.viewers.web.page_address import is_loopback
from telexist.teleop.viewers.web.page_guard import MAX_CLIENTS
from telexist.teleop.viewers.web.page_server import new_token, serve_guarded

msgspec = pytest.importorskip("msgspec")
viser = pytest.importorskip("viser")
client = pytest.importorskip("websockets.sync.client")
exceptions = pytest.importorskip("websockets.exceptions")

TOKEN = "a-long-secret"
PROTOCOL = f"viser-v{viser.__version__}"


@pytest.fixture(scope="module")
def beats() -> BrowserBeats:
    return BrowserBeats(time.monotonic)


@pytest.fixture(scope="module")
def server(beats: BrowserBeats) -> Iterator[Any]:
    server = serve_guarded("127.0.0.1", 0, TOKEN, beats)
    yield server
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()


@pytest.fixture(scope="module")
def secret(server: Any) -> int:
    return int(server.get_port())


@pytest.fixture(scope="module")
def cookie(secret: int) -> str:
    """Return what the page gives to a browser that knows the token."""
    status, text = answer(secret, f"/?token={TOKEN}")
    assert status == 303
    assert "HttpOnly" in text
    assert "Location: /\r\n" in text
    said = next(k for k in text.split("\r\n") if k.startswith("Set-Cookie: "))
    return said.removeprefix("Set-Cookie: ").split(";")[0]


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


def status_of(port: int, request: str) -> int:
    """Send a request as it is, byte by character."""
    with socket.create_connection(("127.0.0.1", port), timeout=60.0) as stream:
        stream.sendall(request.encode("latin-1"))
        return int(stream.recv(1 << 16).split()[1])


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


def test_the_token_becomes_a_cookie_that_opens_the_page(
    secret: int, cookie: str
) -> None:
    status, text = answer(secret, Cookie=cookie)
    assert status == 200
    assert "<html" in text.lower()
    name = cookie.partition("=")[0]
    assert name != "telexist"  # two pages of one machine do not share it
    assert answer(secret, Cookie=f"{name}={new_token()}")[0] == 403


def test_web_sockets_need_the_cookie(secret: int, cookie: str) -> None:
    with pytest.raises(exceptions.InvalidStatus, match="403"), connect(secret):
        pass
    with connect(secret, Cookie=cookie) as stream:
        assert stream.recv(timeout=60.0)


def test_other_web_pages_cannot_press_our_buttons(secret: int, cookie: str) -> None:
    evil = {"Cookie": cookie, "Origin": "http://evil.example"}
    with (
        pytest.raises(exceptions.InvalidStatus, match="403"),
        connect(secret, **evil),
    ):
        pass
    good = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{secret}"}
    with connect(secret, **good) as stream:
        assert stream.recv(timeout=60.0)


def test_on_loopback_only_names_of_this_machine_work(secret: int, cookie: str) -> None:
    assert answer(secret, Host=f"localhost:{secret}", Cookie=cookie)[0] == 200
    assert answer(secret, Host="rebound.example", Cookie=cookie)[0] == 403
    assert answer(secret, Host="[::1", Cookie=cookie)[0] == 403


@pytest.mark.parametrize("path", ["//[", "//[::1", "/?token=\xff\x80", "/?token=%"])
def test_what_is_no_address_is_refused_without_a_traceback(
    secret: int, path: str, capfd: pytest.CaptureFixture[str]
) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{secret}\r\n\r\n"
    assert status_of(secret, request) in (400, 403)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("origin", ["http://[::1", "http://\xff", "null", "//["])
def test_what_is_no_origin_is_refused_without_a_traceback(
    secret: int, cookie: str, origin: str, capfd: pytest.CaptureFixture[str]
) -> None:
    request = (
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{secret}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
        f"Origin: {origin}\r\nCookie: {cookie}\r\n\r\n"
    )
    assert status_of(secret, request) in (400, 403)
    assert capfd.readouterr() == ("", "")


def test_an_absurd_address_is_refused(secret: int, cookie: str) -> None:
    assert answer(secret, "/" + "a" * 5000, Cookie=cookie)[0] == 414
    assert answer(secret, "/?token=" + "a" * 5000)[0] == 414
    assert answer(secret, "/" + "a" * 199, Cookie=cookie)[0] == 404
    assert answer(secret, "/" + "a" * 256, Cookie=cookie)[0] == 414
    assert answer(secret, "/%00", Cookie=cookie)[0] == 414
    assert answer(secret, "/../../../../etc/passwd", Cookie=cookie)[0] in (403, 404)


def test_only_who_knows_the_token_has_a_heartbeat(
    secret: int, cookie: str, beats: BrowserBeats
) -> None:
    path = "/beat?browser=5&seen=1"
    assert answer(secret, path)[0] == 403 and not beats.ready([5])
    assert answer(secret, path, Cookie=cookie)[0] == 200 and beats.ready([5])
    status, text = answer(secret, "/beat?browser=5", Cookie=cookie)
    assert status == 200 and "Content-Type: text/html" in text and "<script>" in text


def test_nobody_can_publish_the_page(
    server: Any, secret: int, cookie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = importlib.import_module("viser._messages")
    tunnel = importlib.import_module("viser._viser")
    made: list[object] = []
    monkeypatch.setattr(tunnel, "ViserTunnel", lambda *a, **k: made.append(a))
    share = messages.ShareUrlRequest()
    assert type(share) not in server._websock_server._incoming_handlers
    asked = msgspec.msgpack.encode(share.as_serializable_dict())
    with connect(secret, Cookie=cookie) as stream:
        assert stream.recv(timeout=60.0)
        stream.send(asked)
        assert stream.ping().wait(60.0)
    with pytest.raises(BadInput, match="not published"):
        server.request_share_url()
    assert made == []


def test_broken_browsers_disturb_neither_others_nor_the_terminal(
    secret: int, cookie: str, caplog: pytest.LogCaptureFixture
) -> None:
    with connect(secret, Cookie=cookie) as good:
        assert good.recv(timeout=60.0)
        for rubbish in (
            b"",
            "text",
            b"\x00" * 100,
            b"\xff\xfe",
            b"\x81\xa4type\xa3Foo",
        ):
            with connect(secret, Cookie=cookie) as bad, contextlib.suppress(Exception):
                bad.send(rubbish)
                bad.recv(timeout=0.2)
        with connect(secret, Cookie=cookie) as bad, contextlib.suppress(Exception):
            bad.send(b"\x00" * (2 << 20))  # larger than any message of a browser
            bad.recv(timeout=0.2)
        with socket.create_connection(("127.0.0.1", secret), timeout=60.0) as stream:
            stream.sendall(b"\x16\x03\x01 not even HTTP\r\n\r\n")
        assert good.ping().wait(60.0)
        assert answer(secret, Cookie=cookie)[0] == 200
    assert [record.name for record in caplog.records] == []


def test_there_is_room_for_a_few_browsers_only(secret: int, cookie: str) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(MAX_CLIENTS):
            assert stack.enter_context(connect(secret, Cookie=cookie)).recv(
                timeout=60.0
            )
        one_more = stack.enter_context(connect(secret, Cookie=cookie))
        with pytest.raises(exceptions.ConnectionClosed, match="too many"):
            one_more.recv(timeout=60.0)


def test_loopback_is_told_from_the_world() -> None:
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.8.8.8", "::1")))
    assert not any(map(is_loopback, ("", "0.0.0.0", "::", "10.0.0.1", "example.org")))
