"""Heartbeats of browsers: who can press the buttons right now.

Every browser gets a small frame of ours (`beat_frame`) whose script asks for `/beat`
several times a second, and says whether the page is seen. The script shares its thread
with the page's buttons: when they hang, so does it. A browser that is hidden says so at
once; one that is silent cannot be pressed either.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from urllib.parse import parse_qs, urlsplit

__all__ = ["BrowserBeats", "beat_frame"]

PATH = "/beat"
PERIOD_MS = 150  # [ms] between two heartbeats
SILENT = 0.75  # [s] after which a browser hangs
MOST = 64  # browsers that are remembered
_SCRIPT = """<!doctype html><title>heartbeat</title><script>
const say = () => fetch(
  `PATH?browser=BROWSER&seen=${document.visibilityState === 'visible' ? 1 : 0}`,
  {cache: 'no-store', keepalive: true}).catch(() => {});
document.addEventListener('visibilitychange', say);
setInterval(say, PERIOD);
say();
</script>
"""


def beat_frame(browser: int) -> str:
    """Return the HTML that makes a browser beat; `browser` is its number."""
    return (
        f'<iframe src="{PATH}?browser={browser}" title="heartbeat" '
        'style="display:none"></iframe>'
    )


class BrowserBeats:
    """Remembers when each browser was seen last; any thread may ask."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Take the clock [s]."""
        self._now = now
        self._lock = threading.Lock()
        self._heard: dict[int, float] = {}  # [s]
        self._hidden: set[int] = set()

    def answer(self, path: str) -> str | None:
        """Take a heartbeat; return what to answer, None for a path that is none.

        A heartbeat is answered by nothing, and `PATH` alone by the script.
        """
        split = urlsplit(path)
        if split.path != PATH:
            return None
        asked = {key: values[-1] for key, values in parse_qs(split.query).items()}
        number = asked.get("browser", "")
        if not (number.isascii() and number.isdecimal() and len(number) < 10):
            return ""
        if "seen" not in asked:
            script = _SCRIPT.replace("PATH", PATH).replace("BROWSER", number)
            return script.replace("PERIOD", str(PERIOD_MS))
        self._hear(int(number), seen=asked["seen"] == "1")
        return ""

    def _hear(self, browser: int, *, seen: bool) -> None:
        with self._lock:
            if browser not in self._heard and len(self._heard) >= MOST:
                return
            self._heard[browser] = self._now()
            (self._hidden.discard if seen else self._hidden.add)(browser)

    def problem(self, browser: int) -> str:
        """Return why a browser cannot be pressed; "" if it can, or never beat."""
        with self._lock:
            heard = self._heard.get(browser)
            if heard is None:
                return ""
            if browser in self._hidden:
                return "is hidden"
            silent = self._now() - heard
        return f"has been silent for {silent:.1f} s" if silent > SILENT else ""

    def ready(self, browsers: Collection[int]) -> bool:
        """Return whether one of these can be pressed and has said so."""
        with self._lock:
            known = [browser for browser in browsers if browser in self._heard]
        return any(not self.problem(browser) for browser in known)

    def forget(self, keep: Collection[int]) -> None:
        """Forget all browsers but these."""
        with self._lock:
            for browser in set(self._heard) - set(keep):
                del self._heard[browser]
                self._hidden.discard(browser)
