"""A real browser: Debian's Chromium, headless, without a GPU."""

from __future__ import annotations

import base64
import contextlib
import io
import shutil
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
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
    "--disable-dev-shm-usage",  # small in containers
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--force-device-scale-factor=0.5",  # a quarter of the pixels to render
)
PATIENCE = 180.0  # [s] software rendering on a busy machine is slow

FIND_BUTTON = """
const found = [...document.querySelectorAll('button')]
    .find(button => button.innerText.trim() === arguments[0]);
if (!found) return null;
"""
CLICK = """
found.scrollIntoView({behavior: 'instant', block: 'nearest', inline: 'nearest'});
const box = found.getBoundingClientRect();
const top = document.elementFromPoint(
    box.x + box.width / 2, box.y + box.height / 2);
if (found.disabled || !found.contains(top)) return null;
found.click();
return true;
"""
PLACE = """
const box = found.getBoundingClientRect();
const top = document.elementFromPoint(
    box.x + box.width / 2, box.y + box.height / 2);
return {
    usable: !found.disabled && found.contains(top),
    left: box.left, right: box.right, top: box.top, bottom: box.bottom,
    width: window.innerWidth, height: window.innerHeight,
};
"""
PRESS_ON = """
const found = document.querySelector(arguments[0]);
if (!found) return null;
found.focus();
found.dispatchEvent(new KeyboardEvent(
    'keydown', {key: arguments[1], code: arguments[1], bubbles: true}));
return true;
"""
HANG = """
const end = Date.now() + 1000 * arguments[0];
setTimeout(() => { while (Date.now() < end); }, 0);
"""
CLICK_BOX = """
const label = [...document.querySelectorAll('*')]
    .find(node => !node.children.length && node.textContent === arguments[0]);
const boxes = [...document.querySelectorAll('input[type="checkbox"]')];
const found = label && boxes.find(
    box => label.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING);
if (!found) return null;
found.click();
return true;
"""


def wait_for(condition: Callable[[], Any], what: str) -> Any:
    """Return what a condition gives, once it gives something."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.1)
    return found


class Window:
    """A browser's window on a page that may draw all of its parts anew at any time.

    So each look at the page, and each click, is one script that runs in the page:
    between finding a button and reading it, it could be replaced by another.
    """

    def __init__(self, chrome: Any) -> None:
        self._chrome = chrome

    def words(self) -> str:
        """Return all that is written on the page."""
        return str(self._chrome.execute_script("return document.body.innerText"))

    def has(self, selector: str) -> bool:
        """Whether there is something on the page, in words of CSS."""
        script = "return document.querySelector(arguments[0]) !== null"
        return bool(self._chrome.execute_script(script, selector))

    def has_button(self, label: str) -> bool:
        """Whether there is a button with this label now."""
        found = self._chrome.execute_script(FIND_BUTTON + "return true", label)
        return found is not None

    def click(self, label: str) -> None:
        """Click a button as soon as it is there and nothing covers it."""
        script = FIND_BUTTON + CLICK
        wait_for(
            lambda: self._chrome.execute_script(script, label), f"a button '{label}'"
        )

    def place(self, label: str) -> dict[str, Any]:
        """Return where a button is in the window, and whether it can be clicked."""
        script = FIND_BUTTON + PLACE
        return dict(
            wait_for(
                lambda: self._chrome.execute_script(script, label),
                f"a button '{label}'",
            )
        )

    def click_box(self, label: str) -> None:
        """Click the first check box after a label."""
        wait_for(
            lambda: self._chrome.execute_script(CLICK_BOX, label), f"a box '{label}'"
        )

    def press_on(self, selector: str, key: str) -> None:
        """Press a key while something on the page has the focus."""
        wait_for(lambda: self._chrome.execute_script(PRESS_ON, selector, key), selector)

    def press(self, key: str) -> None:
        """Press a key, wherever the focus is."""
        actions = pytest.importorskip("selenium.webdriver").ActionChains
        actions(self._chrome).send_keys(key).perform()

    def hang(self, seconds: float) -> None:
        """Keep the page's thread busy; returns at once."""
        self._chrome.execute_script(HANG, seconds)

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """Be behind another tab."""
        own = self._chrome.current_window_handle
        self._chrome.switch_to.new_window("tab")
        try:
            yield
        finally:
            self._chrome.close()
            self._chrome.switch_to.window(own)

    def picture(self) -> np.ndarray:
        """Return a screenshot (rows, columns, 3).

        Not by the driver's own command: that gives up after 10 s, and a frame that is
        rendered by a busy processor may take longer.
        """
        how = {"format": "png", "optimizeForSpeed": True}
        taken = self._chrome.execute_cdp_cmd("Page.captureScreenshot", how)
        image = pytest.importorskip("imageio.v3").imread(
            io.BytesIO(base64.b64decode(taken["data"]))
        )
        return image[..., :3].astype(float)


@pytest.fixture(scope="module")
def open_chromium(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str, str], Window]]:
    """Return a function that opens an address in a window of a size; may skip."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="no selenium here")
    if not CHROMIUM or not DRIVER:
        pytest.skip(
            "no chromium and chromedriver here: apt-get install chromium-driver"
        )
    opened = []

    def open_page(url: str, size: str) -> Window:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        profile = tmp_path_factory.mktemp("profile")
        extra = (f"--window-size={size}", f"--user-data-dir={profile}")
        for flag in (*FLAGS, *extra):
            options.add_argument(flag)
        service = webdriver.ChromeService(DRIVER)
        chrome = webdriver.Chrome(options=options, service=service)
        opened.append(chrome)
        chrome.command_executor.client_config.timeout = 2.0 * PATIENCE
        chrome.set_page_load_timeout(PATIENCE)
        chrome.set_script_timeout(PATIENCE)
        chrome.get(url)
        return Window(chrome)

    yield open_page
    for chrome in opened:
        chrome.quit()
