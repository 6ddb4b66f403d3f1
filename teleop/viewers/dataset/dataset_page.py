"""Serves the page of a data set, guarded as all our pages are."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import http
import json
import logging
import threading
from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from pathlib import Path
from urllib.parse import unquote, urlsplit

from telexist.retarget.errors import BadInput, TelexistError
from telexist.retarget.results import load_motion
from telexist.retarget.robot_body import RobotBody
from telexist.teleop.dataset import DatasetPlace
from telexist.teleop.viewers.dataset.page_rows import PageRows
from telexist.teleop.viewers.dataset.stick_figure import stick_figure
from telexist.teleop.viewers.web import (
    PageGuard,
    local_url,
    new_token,
    page_query,
    remote_url,
    require_free_port,
)
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

__all__ = ["DatasetPage"]

SOCKET_PATH = "/socket"
MAX_MESSAGE = 1 << 20  # [B]; marks of ten thousand rows have a tenth of it
LOOK = 0.1  # [s] between two looks at whether to stop
PATIENCE = 20.0  # [s] to begin to serve
HTML, JSON, BYTES, PNG = (
    "text/html; charset=utf-8",
    "application/json",
    "application/octet-stream",
    "image/png",
)


class DatasetPage:
    """Serves one set until it is closed."""

    def __init__(
        self,
        place: DatasetPlace,
        body_of: Callable[[str], RobotBody],
        *,
        host: str,
        port: int,
    ) -> None:
        """Read the table and start to serve.

        Args:
            place: Of the set.
            body_of: Loads a robot by its name in the table.
            host: Address to serve at; 127.0.0.1 is this machine only.
            port: Port to serve at; 0: any.

        Raises:
            BadInput: If the port is taken or the table damaged.
        """
        require_free_port(host, port)
        self._place, self._rows = place, PageRows(place)
        self._body_of = lru_cache(maxsize=8)(body_of)
        page = resources.files(__package__ or "") / "page.html"
        self._html = page.read_bytes()
        script = self._html.partition(b"<script>")[2].partition(b"</script>")[0]
        digest = base64.b64encode(hashlib.sha256(script).digest()).decode()
        self._policy = (
            f"default-src 'none'; script-src 'sha256-{digest}'; img-src 'self'; "
            "style-src 'unsafe-inline'; connect-src 'self'; "
            "frame-ancestors 'none'; base-uri 'none'"
        )
        self.token, self._host = new_token(), host
        self._guard = PageGuard(self.token, host)
        self._stop, self._ready = threading.Event(), threading.Event()
        self._port, self._failure = port, ""
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        if not self._ready.wait(PATIENCE) or self._failure:
            raise BadInput(f"cannot serve at {host} port {port}: {self._failure}")

    @property
    def url(self) -> str:
        """Address for a browser on this machine, with the token."""
        return local_url(self._host, self._port, page_query(self.token))

    @property
    def remote_url(self) -> str:
        """The same for another machine; "" if none can connect."""
        return remote_url(self._host, self._port, page_query(self.token))

    def run(self) -> None:
        """Wait until the page is closed."""
        while not self._stop.wait(LOOK):
            pass

    def close(self) -> None:
        """Serve no longer; may be called twice."""
        self._stop.set()
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except OSError as error:
            self._failure = error.strerror or str(error)
            self._ready.set()

    async def _serve(self) -> None:
        quiet = logging.getLogger(f"{__name__}.strangers")
        quiet.setLevel(logging.CRITICAL)
        server = serve(
            self._talk,
            self._host,
            self._port,
            process_request=self._request,
            max_size=MAX_MESSAGE,
            logger=quiet,
        )
        async with server as serving:
            self._port = next(iter(serving.sockets)).getsockname()[1]
            self._ready.set()
            while not self._stop.is_set():
                await asyncio.sleep(LOOK)

    async def _talk(self, connection: ServerConnection) -> None:
        try:
            async for message in connection:
                try:
                    said = json.loads(message)
                except (ValueError, RecursionError):
                    said = {}
                answer = self._rows.answer(said if isinstance(said, dict) else {})
                await connection.send(json.dumps(answer))
        except ConnectionClosed:
            pass

    def _request(
        self, connection: ServerConnection, request: Request
    ) -> Response | None:
        refused = self._guard.check(request)
        if refused is not None:
            return refused
        path = unquote(urlsplit(request.path).path)
        if path == SOCKET_PATH:
            return None
        try:
            body, kind = self._content(path)
        except (TelexistError, OSError, ValueError, IndexError) as error:
            text = " ".join(str(error).split()).encode()
            return self._response(http.HTTPStatus.NOT_FOUND, text, "text/plain")
        return self._response(http.HTTPStatus.OK, body, kind)

    def _content(self, path: str) -> tuple[bytes, str]:
        """Return what lies at a path.

        Raises:
            ValueError: If nothing does.
        """
        _, what, *rest = path.split("/", 2)
        if what == "":
            return self._html, HTML
        if what == "rows":
            return json.dumps(self._rows.overview()).encode(), JSON
        if what == "column" and rest:
            column = self._rows.column(rest[0])
            if column is not None:
                return column, BYTES
        if what in ("motion", "sheet") and rest and rest[0].isdigit():
            row = self._rows.rows[int(rest[0])]
            path_of = self._place.motions / row["motion"]
            if what == "sheet":
                return path_of.with_suffix(".png").read_bytes(), PNG
            return self._motion(path_of, row["robot"]), JSON
        raise ValueError("nothing lies here")

    def _motion(self, path: Path, robot: str) -> bytes:
        figure = stick_figure(self._body_of(robot), load_motion(path))
        return json.dumps(figure).encode()

    def _response(self, status: http.HTTPStatus, body: bytes, kind: str) -> Response:
        headers = Headers()
        headers["Content-Type"] = kind
        headers["Content-Length"] = str(len(body))
        headers["Content-Security-Policy"] = self._policy
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "no-referrer"
        headers["Cache-Control"] = "no-store"
        headers["Connection"] = "close"
        return Response(status.value, status.phrase, headers, body)
