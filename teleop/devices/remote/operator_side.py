"""The operator's side: reads any devices, tells a robot far away, shows what it says.

Samples go by datagram, each with the ones before it, so that one that is lost is there
with the next; requests go over TLS, stop and hold both ways until the robot has them.
Whatever ends the connection, it is made anew.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from telexist.retarget.errors import TelexistError
from telexist.retarget.printable import printable
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device
from telexist.teleop.devices.remote.control_line import (
    MOST_LINE,
    VERSION,
    ControlLine,
)
from telexist.teleop.devices.remote.identity import Identity
from telexist.teleop.devices.remote.operator_talk import OperatorTalk
from telexist.teleop.devices.remote.remote_eyes import RemoteEyes
from telexist.teleop.devices.remote.sealed_datagrams import KEY_SIZE
from telexist.teleop.terms import DeviceSample, Request, SessionNews

__all__ = ["OperatorSide"]

QUIET = 0.05  # [s] without a sample after which an empty datagram keeps the way open
ALIVE = 0.5  # [s] between two words over TLS that say no more than that we live
SILENCE = 3.0  # [s] without a word of the robot's side
AGAIN = 0.5  # [s] between two tries to connect
PATIENCE = 6.0  # [s] for a connection
LAST_WORD = 1.0  # [s] at most until the robot has heard the stop of our end


class OperatorSide:
    """Tells one robot what devices say.

    Attributes:
        state: Of the robot's session, as it was told last; "" while nobody is there.
        connected: Whether the robot's side is there.
        sent: Samples that were sent.
        eyes: Joins the robot's pictures; None before the first connection.
    """

    def __init__(
        self,
        identity: Identity,
        place: tuple[str, int],
        devices: Sequence[Device],
        say: Callable[[str], None],
    ) -> None:
        """Take the parts; nothing is opened yet.

        Args:
            identity: This side.
            place: Host and port of the robot's side.
            devices: What shows the person, walks and asks.
            say: Takes lines for the operator.
        """
        self._identity, self._place = identity, place
        self._devices, self._say = tuple(devices), say
        self.state, self.connected, self.sent = "", False, 0
        self._ending = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake: asyncio.Event | None = None
        self._lost: dict[str, str] = {}
        self._said = ""
        self._news: SessionNews | None = None
        self.eyes: RemoteEyes | None = None
        self._asked: list[Request] = []

    def run(self) -> None:
        """Work until `stop`.

        Raises:
            DeviceLost: If a device cannot be opened.
        """
        asyncio.run(self._run())

    def stop(self) -> None:
        """Ask the robot to stop, then end; any thread or signal handler may call it."""
        self._ending = True
        self._wake_up()

    def request(self, request: Request) -> None:
        """Ask for something, as a button would; any thread may call this."""
        self._asked.append(request)
        self._wake_up()

    def _wake_up(self) -> None:
        loop, wake = self._loop, self._wake
        if loop is not None and wake is not None:
            with contextlib.suppress(RuntimeError):  # it has ended
                loop.call_soon_threadsafe(wake.set)

    async def _run(self) -> None:
        self._loop, self._wake = asyncio.get_running_loop(), asyncio.Event()
        try:
            for device in self._devices:
                device.open(self._wake_up)
                if device.manual:
                    self._say(f"{device.name}: {device.manual}")
            while not self._ending:
                try:
                    await self._connect()
                except (ConnectionError, OSError, TimeoutError) as error:
                    text = getattr(error, "reason", "") or str(error) or "no answer"
                    self._tell(f"{self._robot}: {text}; trying again")
                self.connected, self.state = False, ""
                if not self._ending:
                    self._drop_requests()
                    await asyncio.sleep(AGAIN)
        finally:
            for device in self._devices:
                device.close()

    @property
    def _robot(self) -> str:
        host, port = self._place
        return f"robot's side at {host}:{port}"

    def _tell(self, line: str) -> None:
        """Say a line, unless it was the last one."""
        if line != self._said:
            self._said = line
            self._say(printable(line))

    def _drop_requests(self) -> None:
        for sample in self._read():
            self._asked += sample.requests
        if self._asked:
            words = ", ".join(request.value for request in self._asked)
            self._say(f"not connected: nobody heard: {words}")
        self._asked.clear()

    def _read(self) -> list[DeviceSample]:
        samples = []
        for device in self._devices:
            try:
                sample = device.read()
            except TelexistError as error:
                if self._lost.get(device.name) != str(error):
                    self._say(printable(f"{device.name}: {error}"))
                self._lost[device.name] = str(error)
                continue
            if sample is not None:
                self._lost.pop(device.name, None)
                samples.append(sample)
        return samples

    async def _connect(self) -> None:
        host, port = self._place
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(
                host,
                port,
                ssl=self._identity.client_context(),
                server_hostname=host,
                limit=MOST_LINE,
            )
        line = ControlLine(reader, writer)
        try:
            hello = await line.hear(PATIENCE)
            if "refused" in hello:
                raise ConnectionError(str(hello["refused"]))
            await self._attend(line, _keys(hello))
        finally:
            line.close()

    async def _attend(self, line: ControlLine, keys: Sequence[bytes]) -> None:
        loop = asyncio.get_running_loop()
        talk = OperatorTalk(keys, self._show)
        self.eyes = talk.eyes
        transport, _ = await loop.create_datagram_endpoint(
            lambda: talk, remote_addr=self._place
        )
        self.connected = True
        self._tell(f"{self._robot}: connected")
        heard = loop.create_task(self._hear(line, talk))
        try:
            await self._speak(line, talk, heard)
        finally:
            heard.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                await heard
            transport.close()

    async def _hear(self, line: ControlLine, talk: OperatorTalk) -> None:
        while True:
            message = await line.hear(SILENCE)
            news = SessionNews.of_message(message)
            if news is not None:
                self._hear_news(news, _times(message))
            counts = message.get("counts")
            if isinstance(counts, list) and len(counts) == 2:
                talk.known = [k if isinstance(k, int) else 0 for k in counts]

    def _show(self, feedback: RobotFeedback) -> None:
        for device in self._devices:
            device.show(feedback)

    def _hear_news(self, news: SessionNews, times: str) -> None:
        if news.state != self.state:
            self.state = news.state
            self._tell(f"robot: {news.state}" + times)
        for event in news.events:
            self._say(printable(event))
        if news != self._news:
            self._news = news
            for device in self._devices:
                device.tell(news)

    async def _speak(
        self, line: ControlLine, talk: OperatorTalk, heard: asyncio.Task[None]
    ) -> None:
        quiet = alive = 0.0
        end = float("inf")
        while clock.now() < end:
            if heard.done():
                heard.result()
                return
            if self._ending and end == float("inf"):
                self._asked.append(Request.STOP)
                end = clock.now() + LAST_WORD
            samples = self._read()
            asked = [*self._asked, *(r for s in samples for r in s.requests)]
            self._asked.clear()
            now = clock.now()
            if asked:
                talk.count(asked)
                words = [request.value for request in asked]
                line.say({"requests": words, "sent": now, "counts": talk.counts})
                talk.send([])
            for sample in samples:
                if not _only_requests(sample):
                    talk.send([sample])
                    self.sent += 1
                    quiet = now
            if now - quiet >= QUIET:
                talk.send([])
                quiet = now
            if now - alive >= ALIVE:
                shows = any(device.traits.shows for device in self._devices)
                line.say({"alive": 1, **talk.eyes.report(wanted=shows)})
                alive = now
            if end < float("inf") and talk.known[0] >= talk.counts[0]:
                return
            await self._wait()

    async def _wait(self) -> None:
        wake = self._wake
        if wake is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.02):
                    await wake.wait()
            wake.clear()


def _keys(hello: dict[str, Any]) -> list[bytes]:
    try:
        keys = [bytes.fromhex(key) for key in hello["keys"]]
    except (KeyError, TypeError, ValueError) as error:
        raise ConnectionError("it speaks another version: update both") from error
    if hello.get("hello") != VERSION or [len(key) for key in keys] != 3 * [KEY_SIZE]:
        raise ConnectionError("it speaks another version: update both")
    return keys


def _only_requests(sample: DeviceSample) -> bool:
    said = (sample.human, sample.walk, sample.hands, sample.treadmill, sample.dead_man)
    return all(part is None for part in said)


def _times(message: dict[str, Any]) -> str:
    age, trip = message.get("age"), message.get("round_trip")
    if not isinstance(age, float) or not isinstance(trip, float):
        return ""
    half = 500.0 * trip
    return f"; samples are {1000.0 * age:.0f} ms old there (+- {half:.0f} ms)"
