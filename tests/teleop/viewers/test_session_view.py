"""A recorded session on the page, in a real browser."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

PATIENCE = 180.0  # [s] a busy machine is slow
TELEXIST = [sys.executable, "-m", "telexist.launch_scripts.telexist"]


def test_a_session_waits_for_a_browser_and_stays_to_be_looked_at(
    tmp_path: Path, open_chromium: Callable[[str, str], Any]
) -> None:
    pytest.importorskip("viser")
    drive = ["teleoperate", "--headless", "--backend", "fake", "--duration", "1"]
    subprocess.run([*TELEXIST, *drive, "--record", str(tmp_path)], check=True)
    (path,) = tmp_path.glob("*.mcap")
    words = ["replay", str(path), "--view", "--no-open", "--port", "0"]
    said: list[str] = []
    with subprocess.Popen(
        [*TELEXIST, *words],
        stdout=subprocess.PIPE,
        text=True,
        # a shell that runs the tests in the background has them ignore Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as shown:
        assert shown.stdout is not None
        out = shown.stdout
        said.append(out.readline())
        reading = threading.Thread(target=lambda: said.append(out.readline()))
        reading.start()
        try:
            reading.join(3.0)  # the session has one second
            assert len(said) == 1
            open_chromium(said[0].split()[1].rstrip(";"), "600,400")
            reading.join(PATIENCE)
            assert "turns shown" in said[1]
            assert shown.poll() is None
            shown.send_signal(signal.SIGINT)
            assert shown.wait(PATIENCE) == 130
        finally:
            shown.kill()
            reading.join()
