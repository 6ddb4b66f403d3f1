"""A real browser: Debian's Chromium, headless, without a GPU."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)
PATIENCE = 180.0  # [s] software rendering on a busy machine is slow


@pytest.fixture(scope="module")
def open_chromium(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str, str], Any]]:
    """Return a function that opens an address in a window of a size; may skip."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="no selenium here")
    if not CHROMIUM or not DRIVER:
        pytest.skip(
            "no chromium and chromedriver here: apt-get install chromium-driver"
        )
    opened = []

    def open_page(url: str, size: str) -> Any:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        profile = tmp_path_factory.mktemp("profile")
        extra = (f"--window-size={size}", f"--user-data-dir={profile}")
        for flag in (*FLAGS, *extra):
            options.add_argument(flag)
        service = webdriver.ChromeService(DRIVER)
        chrome = webdriver.Chrome(options=options, service=service)
        opened.append(chrome)
        chrome.set_page_load_timeout(PATIENCE)
        chrome.get(url)
        return chrome

    yield open_page
    for chrome in opened:
        chrome.quit()
