"""The live page of a session: what people see of it and press, in its own process.

`page = LivePage(robot); page.open()`, then give `page.sink` the loop's ticks and let
the loop read `page.device`. Neither waits for the page. If the page dies, its device is
lost: nobody can press its emergency stop any more.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections.abc import Mapping
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from telexist.retarget.errors import BadInput
from telexist.retarget.human_size import HumanSize
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel, robot_files
from telexist.teleop.terms import Request
from telexist.teleop.viewers.figures import robot_height
from telexist.teleop.viewers.live.page_device import PageDevice
from telexist.teleop.viewers.live.page_process import PageSettings, serve_page
from telexist.teleop.viewers.live.page_sink import PageSink
from telexist.teleop.viewers.live.page_update import (
    ALIVE,
    BROWSER,
    FAILED,
    LOST,
    OPEN,
    REQUEST,
)
from telexist.teleop.viewers.web import (
    local_url,
    new_token,
    page_query,
    remote_url,
    require_free_port,
)

__all__ = ["LivePage"]

PATIENCE = 120.0  # [s] until the page must be served; a busy machine is slow
ENDING = 20.0  # [s] for our threads to hear that the page has ended
DIED = (
    "its process has ended, and its emergency stop with it: stop with Ctrl-C, "
    "a key or a joypad, and start the session again to have a page"
)

SILENT = 0.7  # [s] a page that says nothing for so long hangs
HUNG = (
    f"its process has not answered for {SILENT:g} s, and its emergency stop neither: "
    "stop with Ctrl-C, a key or a joypad"
)
UNPRESSED = ": nobody can press its emergency stop; show the page again"

_log = logging.getLogger(__name__)


class LivePage:
    """Serves a session.

    Attributes:
        device: Gives the loop what people press.
        token: That a browser must know.
    """

    def __init__(
        self,
        robot: RobotModel | None,
        *,
        host: str = "127.0.0.1",
        port: int = 8080,
        title: str = "Telexist",
        size: HumanSize | None = None,
        several: bool = False,
    ) -> None:
        """Describe the page; `open` serves it.

        Args:
            robot: Who is shown; None if there is only a person.
            host: Address to serve at; a token is needed.
            port: Port to serve at; 0 takes any.
            title: Above the panel.
            size: Of the operator who is shown; an adult if None.
            several: Whether controllers take turns.
        """
        self.token = new_token()
        self._settings = PageSettings(
            files=robot_files(robot) if robot is not None else None,
            height=robot_height(robot.body) if robot is not None else 0.0,
            title=title,
            host=host,
            port=port,
            token=self.token,
            joints=_plain(size.joints) if size else None,
            tips=_plain(size.tips) if size else None,
            several=several,
        )
        self.device = PageDevice()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._sink: PageSink | None = None
        self._port = port
        self._seen = threading.Event()
        self._listener: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Address for a browser, with the token."""
        return local_url(self._settings.host, self._port, self._query)

    @property
    def remote_url(self) -> str:
        """The same for a browser on another machine; "" if none can connect."""
        return remote_url(self._settings.host, self._port, self._query)

    @property
    def _query(self) -> str:
        return page_query(self.token)

    @property
    def port(self) -> int:
        """The port that is served."""
        return self._port

    @property
    def sink(self) -> PageSink:
        """Takes the loop's ticks; there after `open`."""
        if self._sink is None:
            raise BadInput("the page is not open: call open() first")
        return self._sink

    @property
    def alive(self) -> bool:
        """Whether the page is being served."""
        return self._process is not None and self._process.is_alive()

    @property
    def process_id(self) -> int | None:
        """Number of the page's process, to see what it costs."""
        return self._process.pid if self._process is not None else None

    def wait_for_browser(self, seconds: float) -> bool:
        """Wait at most so long [s]; return whether a browser has come."""
        return self._seen.wait(seconds)

    def open(self) -> None:
        """Start to serve; may be called twice.

        Raises:
            BadInput: If the port is taken or the address is not ours.
        """
        if self._process is not None:
            return
        require_free_port(self._settings.host, self._settings.port)
        spawn = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(
            target=serve_page, args=(self._settings, theirs), name="page", daemon=True
        )
        self._process.start()
        theirs.close()  # ours would keep the pipe open after the page's death
        try:
            self._port = self._answer(self._pipe)
        except BadInput:
            self.close()
            raise
        self._sink = PageSink(self._pipe.send_bytes)
        self._listener = threading.Thread(
            target=self._listen, args=(self._pipe,), name="page requests", daemon=True
        )
        self._listener.start()

    def close(self) -> None:
        """Stop serving; may be called twice."""
        if self._sink is not None:
            self._sink.close()
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        process.join(5.0)
        if process.is_alive():
            process.kill()
            process.join()
        # Both hear from the pipe that the page has ended; only then is it closed.
        if self._sink is not None:
            self._sink.join(ENDING)
        if self._listener is not None:
            self._listener.join(ENDING)
        if self._pipe is not None:
            self._pipe.close()

    def _answer(self, pipe: Connection) -> int:
        """Return the port that the new process serves."""
        try:
            if not pipe.poll(PATIENCE):
                raise BadInput(
                    f"the page did not start within {PATIENCE:g} s; "
                    "try again, or go on with --no-view"
                )
            answer = pipe.recv_bytes()
        except (EOFError, OSError) as error:
            raise BadInput(
                "the page ended while it started; go on with --no-view"
            ) from error
        if answer[:1] != OPEN:
            reason = answer.removeprefix(FAILED).decode(errors="replace")
            raise BadInput(f"the page cannot be served: {reason}")
        return int(answer[1:])

    def _listen(self, pipe: Connection) -> None:
        """Pass on what people press until the page ends; tell when it hangs."""
        patience: float | None = None  # until its first word of being alive
        while True:
            try:
                if patience is not None and not pipe.poll(patience):
                    self.device.lose(HUNG)
                    pipe.poll(None)  # until it speaks again
                    self.device.find()
                message = pipe.recv_bytes(256)
                if message[:1] == ALIVE:
                    patience = SILENT
                elif message[:1] == LOST:
                    self._hear_of_browser(message[1:].decode())
                elif message[:1] == BROWSER:
                    self._seen.set()
                elif message[:1] == REQUEST:
                    self.device.push(Request(message[1:].decode()))
            except (EOFError, OSError):
                if self._process is not None:  # not closed by ourselves
                    self.device.lose(DIED)
                return
            except ValueError:
                _log.warning("the page sent an unknown request: %r", message)

    def _hear_of_browser(self, problem: str) -> None:
        if problem:
            self.device.lose(problem + UNPRESSED)
        else:
            self.device.find()


def _plain(points: Mapping[str, Array]) -> dict[str, tuple[float, ...]]:
    return {name: tuple(map(float, point)) for name, point in points.items()}
