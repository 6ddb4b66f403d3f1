"""The thread of a device: runs until told to stop, and says why it died."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from telexist.retarget.errors import TelexistError

__all__ = ["Worker"]

logger = logging.getLogger(__name__)

_PATIENCE = 20.0  # [s] to wait for a thread that was told to stop; hosts are busy


class Worker:
    """One background thread; `start` and `stop` may each be called twice."""

    def __init__(
        self,
        name: str,
        work: Callable[[threading.Event], None],
        died: Callable[[str], None] | None = None,
    ) -> None:
        """Take a name and the work.

        Args:
            name: For messages.
            work: Returns soon after its event is set.
            died: Told the reason if the work fails, from its thread; a device passes
                its mailbox's `lose`, so that its next `read` raises.
        """
        self._name = name
        self._work = work
        self._died = died
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether the thread is alive."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Start the thread, unless it runs."""
        if self.running:
            return
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(self._stop,), name=self._name, daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Tell the thread to stop and wait for it."""
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(_PATIENCE)

    def _run(self, stop: threading.Event) -> None:
        try:
            self._work(stop)
        except Exception as error:
            known = isinstance(error, TelexistError)
            reason = str(error) if known else f"{type(error).__name__}: {error}"
            logger.warning("%s: its reader has died: %s", self._name, reason)
            logger.debug("%s", self._name, exc_info=True)
            if self._died is not None:
                self._died(f"its reader has died: {reason}")
