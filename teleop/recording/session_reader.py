"""Reads a recorded session: whole, cut off, or somebody else's file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from telexist.retarget.errors import BadFrame, BadRecording, UnknownName
from telexist.retarget.signals import HumanFrame
from telexist.teleop.recording.channels import CHANNELS, Channel
from telexist.teleop.recording.mcap_reader import read_messages, scan
from telexist.teleop.recording.message_check import checked_fields
from telexist.teleop.recording.session_arrays import collect
from telexist.teleop.recording.session_header import SessionHeader, header_from_metadata
from telexist.teleop.terms import Event, State

__all__ = ["SessionReader"]

_SHORT = {channel.topic: short for short, channel in CHANNELS.items()}


class SessionReader:
    """One session's file. Reading is lazy: each question is a pass over the chunks."""

    def __init__(self, path: Path) -> None:
        """Look the file over.

        Raises:
            BadRecording: If it is no session, or is cut off before its first sample.
        """
        self.path = Path(path)
        self._found = scan(self.path)
        texts = self._found.metadata.get("session")
        if texts is None:
            problem = (
                "cut off before its header: nothing was recorded"
                if self._found.problems and not self._found.chunks
                else "an MCAP file, but not a session recorded by telexist"
            )
            raise BadRecording(self.path, problem)
        try:
            self.header: SessionHeader = header_from_metadata(texts)
        except ValueError as error:
            raise BadRecording(self.path, str(error), place="header") from error

    @property
    def complete(self) -> bool:
        """Whether the session was closed in order."""
        return self._found.complete

    @property
    def problems(self) -> tuple[str, ...]:
        """What was skipped and why; grows while damaged places are met."""
        return tuple(self._found.problems)

    def messages(self, *channels: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield short name and checked fields of each message, in recorded order.

        Args:
            channels: Short names in `CHANNELS`.

        Raises:
            UnknownName: If there is no such channel.
            BadRecording: If a message is not what its channel promises.
        """
        topics = {_channel(name).topic for name in channels}
        sizes = self._sizes()
        for raw in read_messages(self._found, topics):
            short = _SHORT[raw.topic]
            try:
                yield short, checked_fields(CHANNELS[short], raw.data, sizes)
            except ValueError as error:
                place = f"{raw.topic}, turn {raw.sequence}"
                raise BadRecording(self.path, str(error), place=place) from error

    def counts(self) -> dict[str, int]:
        """Return how many messages each channel has, for those that have any."""
        found = Counter(raw.topic for raw in read_messages(self._found, _SHORT))
        return {_SHORT[topic]: count for topic, count in found.items()}

    def arrays(self, channel: str) -> dict[str, Any]:
        """Return a channel's fields as arrays, time first; empty if it has no message.

        Numbers are float64 with NaN where there was none; human frames have all 23
        segments, in their order, with NaN for those not provided.

        Raises:
            UnknownName: If there is no such channel.
            BadRecording: If a message is wrong, or the arrays would be too large.
        """
        fields = (fields for _, fields in self.messages(channel))
        return collect(self.path, _channel(channel), fields, self._sizes())

    def _sizes(self) -> dict[str, int]:
        return {"n": len(self.header.joints), "f": len(self.header.fingers)}

    def frames(self, channel: str = "raw") -> Iterator[HumanFrame]:
        """Yield the human frames of "raw" or "human".

        Raises:
            BadRecording: If one is damaged.
        """
        for _, fields in self.messages(channel):
            yield self.frame(fields)

    def frame(self, fields: dict[str, Any]) -> HumanFrame:
        """Return the human frame of one message.

        Raises:
            BadRecording: If its segments are not those of a person.
        """
        names = (
            "stamp",
            "sequence",
            "segments",
            "rotations",
            "angular_velocities",
            "positions",
            "linear_velocities",
            "hand_points",
        )
        try:
            return HumanFrame(**{k: fields[k] for k in names if k in fields})
        except BadFrame as error:
            raise BadRecording(self.path, str(error)) from error

    def events(self) -> tuple[Event, ...]:
        """Return all events, in order.

        Raises:
            BadRecording: If one is damaged.
        """
        found = []
        for _, fields in self.messages("events"):
            try:
                state = State(fields["state"])
            except ValueError as error:
                raise BadRecording(self.path, str(error), place="events") from error
            event = Event(
                stamp=fields["stamp"],
                kind=fields["kind"],
                reason=fields["reason"],
                state=state,
                device=fields.get("device", ""),
            )
            found.append(event)
        return tuple(found)

    def text(self, channel: str) -> str:
        """Return the last "calibration" or "configuration", or an empty text."""
        text = ""
        for _, fields in self.messages(channel):
            text = fields["text"]
        return text


def _channel(name: str) -> Channel:
    if name not in CHANNELS:
        raise UnknownName("channel", name, CHANNELS)
    return CHANNELS[name]
