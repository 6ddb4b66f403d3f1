from __future__ import annotations

import socket
import urllib.request
from collections.abc import Iterator

import pytest
import telexist.launch_scripts.view as view
from telexist.teleop.viewers.clip.clip_page import ClipPage

FREE = ("--port", 0, "--no-open")


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[tuple[ClipPage, bytes]]:
    """Fetch each page once instead of serving it for ever."""
    seen: list[tuple[ClipPage, bytes]] = []

    def run(page: ClipPage) -> None:
        cookies = urllib.request.HTTPCookieProcessor()  # as a browser keeps them
        browser = urllib.request.build_opener(cookies)
        seen.append((page, browser.open(page.url, timeout=60).read()))
        raise KeyboardInterrupt

    monkeypatch.setattr(ClipPage, "run", run)
    return seen


def test_clip_is_retargeted_and_served_to_this_machine(telexist, clip, pages) -> None:
    ran = telexist("view", clip, "--robot", "human66", *FREE)
    assert ran.code == 130, "Ctrl-C ends it"
    ((page, body),) = pages
    assert [f.figure.name for f in page.figures] == ["human", "human66"]
    assert b"<html" in body
    assert f"http://localhost:{page.port}" in ran.out
    assert "warning" not in ran.err
    with pytest.raises(OSError):
        urllib.request.urlopen(f"http://127.0.0.1:{page.port}", timeout=2)


def test_results_are_shown_as_they_are(telexist, clip, pages, tmp_path) -> None:
    run = ("retarget", clip, "--robot", "human48,human66", "--no-pictures")
    assert telexist(*run, "--out", tmp_path, "--jobs", 1).code == 0
    results = sorted(tmp_path.glob("*.npz"))
    telexist("view", clip, *results, *FREE)
    ((page, _),) = pages
    assert [f.figure.name for f in page.figures] == ["human", "human48", "human66"]


def test_other_machines_are_told_the_address_with_its_token(
    telexist, clip, pages
) -> None:
    ran = telexist("view", clip, "--robot", "human66", "--host", "0.0.0.0", *FREE)
    assert len(pages) == 1
    said = ran.out.partition("from another machine ")[2]
    assert said.startswith("http://") and f"token={pages[0][0].token}" in said


def test_busy_port_is_one_line(telexist, clip, busy_port) -> None:
    ran = telexist("view", clip, "--port", busy_port, "--no-open")
    assert ran.code == 2
    assert f"port {busy_port}" in ran.error
    assert "--port" in ran.error
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1"])
def test_address_that_is_not_ours_is_one_line(telexist, clip, host) -> None:
    ran = telexist("view", clip, "--host", host, *FREE)
    assert ran.code == 2
    assert host in ran.error


def test_bad_result_names_the_file(telexist, clip, tmp_path) -> None:
    bad = tmp_path / "bad.npz"
    bad.write_bytes(b"PK\x03\x04 nothing")
    ran = telexist("view", clip, bad, *FREE)
    assert ran.code == 1
    assert str(bad) in ran.error


def test_folder_of_many_clips_is_refused(telexist, clip, bvh, tmp_path) -> None:
    (tmp_path / "other.bvh").write_text(bvh(3), encoding="utf-8")
    ran = telexist("view", tmp_path, *FREE)
    assert ran.code == 2
    assert "name one" in ran.error


def test_browser_is_opened_unless_forbidden(telexist, clip, pages, monkeypatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(view.webbrowser, "open", opened.append)
    telexist("view", clip, "--robot", "human66", *FREE)
    assert opened == []
    telexist("view", clip, "--robot", "human66", "--port", 0)
    assert opened == [pages[-1][0].url] and "token=" in opened[0]
