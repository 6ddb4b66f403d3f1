"""A real browser that looks at a page: Chromium, headless, drawing in software."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from telexist.retarget.errors import MissingDependency
from telexist.teleop.loop import for_others

__all__ = ["open_in_browser"]

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--window-size=1400,900",
)


@contextmanager
def open_in_browser(url: str) -> Iterator[None]:
    """Show a page as long as the block lasts.

    Raises:
        MissingDependency: If there is no browser.
    """
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise MissingDependency("chromium", "apt-get install chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [found, *FLAGS, f"--user-data-dir={folder}", url]
        with for_others():
            process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        try:
            yield
        finally:
            process.terminate()
            process.wait()
