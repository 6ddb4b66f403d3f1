"""MVN's messages in, frames of one person out; knows no socket."""

from __future__ import annotations

import dataclasses
import logging

import numpy as np
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array
from telexist.teleop.devices.base import (
    MAX_ANGULAR_SPEED,
    MAX_SPEED,
    FrameBuilder,
    Mailbox,
    RefusedMessage,
    SampleCounter,
    SequenceVerdict,
    metres_per_unit,
    require_body,
    require_finite,
    require_speeds,
)
from telexist.teleop.devices.xsens.mxtp import (
    HEADER_SIZE,
    ITEM_SIZES,
    Header,
    Items,
    parse_header,
    parse_items,
)
from telexist.teleop.devices.xsens.mxtp_character import Character, parse_meta
from telexist.teleop.devices.xsens.mxtp_parts import PartsCollector
from telexist.teleop.devices.xsens.mxtp_pose import MvnBody, read_body
from telexist.teleop.devices.xsens.mxtp_sample import SampleCollector
from telexist.teleop.terms import DeviceSample

__all__ = ["MxtpDecoder"]

logger = logging.getLogger(__name__)


class MxtpDecoder:
    """Follows one person of one sender and leaves frames in a mailbox.

    Attributes:
        character: Number of the person who is followed, once known.
        scale: Metres per unit of the wire, once known.
        com: Newest centre of mass (3,) [m], if it is sent.
        names: Number to name of the people whose names were sent.
        people: Number to what is known of their size.
    """

    def __init__(self, mailbox: Mailbox, *, character: int | None = None) -> None:
        """Take where frames and refusals go, and whom to follow (None: the first)."""
        self._mailbox = mailbox
        self.character = character
        self.scale: float | None = None
        self.com: Array | None = None
        self.names: dict[int, str] = {}
        self.people: dict[int, Character] = {}
        self._counter = SampleCounter()
        self._parts = PartsCollector()
        self._sample = SampleCollector()
        self._builder = FrameBuilder()
        self._pelvis: Array | None = None
        self._pending: tuple[Header, float] | None = None

    def handle(self, data: bytes, stamp: float) -> None:
        """Take one message.

        Raises:
            RefusedMessage: If it must not be used.
        """
        header = parse_header(data)
        if header.kind not in ("12", "13", *ITEM_SIZES):
            return
        if header.payload not in (0, len(data) - HEADER_SIZE):
            raise RefusedMessage(
                "malformed", "a payload of another size than announced"
            )
        if header.kind == "12":
            self.names[header.character] = parse_meta(data).get("name", "")
        elif header.kind == "13":
            self.people.setdefault(header.character, Character()).add_scale(data)
        else:
            self._take_items(header, parse_items(header, data), stamp)

    def _take_items(self, header: Header, items: Items, stamp: float) -> None:
        if self.character not in (None, header.character):
            return
        whole = header.part == 0 and header.last
        state = self._state(header, items) if whole else None
        self._take_counter(header, stamp)
        if not whole:
            joined = self._parts.add(header, items)
            if joined is None:
                return
            state = self._state(header, joined)
        if state is None:
            return
        self.character = header.character
        pose = self._sample.add(header.kind, state)
        self._pending = (header, stamp)
        if pose is not None:
            self._publish(pose, header, stamp)

    def _state(self, header: Header, items: Items) -> MvnBody | None:
        """Return what a message says of the body, in metres."""
        if header.kind == "24":
            self._take_com(items.values[0, :3])
            return None
        state = read_body(header.kind, items)
        scale = 1.0
        if state.positions is not None:
            scale = metres_per_unit(SEGMENTS, state.positions)
            if scale != 1.0:
                state = _scaled(state, scale)
        _require_plausible(state)
        if state.positions is not None and self.scale != scale:
            self.scale = scale
            unit = "metres" if scale == 1.0 else "centimetres, converted"
            logger.info("xsens: positions in %s", unit)
        return state

    def _take_com(self, com: Array) -> None:
        """Keep the centre of mass, in the unit that brings it nearer to the pelvis."""
        require_finite(com, "the centre of mass is")
        if self._pelvis is not None:
            pelvis = self._pelvis
            choices = (com, 0.01 * com)
            self.com = min(choices, key=lambda p: float(np.linalg.norm(p - pelvis)))

    def _take_counter(self, header: Header, stamp: float) -> None:
        """Drop what is late; begin a new sample where the number is new."""
        verdict = self._counter.judge(header.sample, stamp)
        if verdict is SequenceVerdict.LATE:
            raise RefusedMessage("late", f"sample {header.sample}")
        if verdict is SequenceVerdict.ABSURD:
            raise RefusedMessage("malformed", f"sample {header.sample} far ahead")
        if verdict is SequenceVerdict.SAME:
            return
        if verdict is SequenceVerdict.RESTART:
            self._sample.clear()
            self._parts.clear()
            self._builder.reset()
        self._parts.keep_only(header.character, header.sample)
        for reason, count in (
            ("lost", self._counter.lost),
            ("unfinished", self._parts.take_abandoned()),
        ):
            if count:
                self._mailbox.drop(stamp, reason, count)
        waiting = self._sample.begin()
        if waiting is not None and self._pending is not None:
            self._publish(waiting, *self._pending)

    def _publish(self, pose: MvnBody, header: Header, stamp: float) -> None:
        """Turn a complete pose into a frame and leave it for the loop."""
        if pose.rotations is None:
            return
        if pose.positions is not None:
            self._pelvis = pose.positions[0]
        human = self._builder.build(
            SEGMENTS,
            pose.rotations,
            pose.positions,
            stamp=stamp,
            sequence=header.sample,
            source_time=header.time_code / 1000.0,
            angular_velocities=pose.angular_velocities,
            linear_velocities=pose.linear_velocities,
        )
        sample = DeviceSample(stamp=stamp, sequence=header.sample, human=human)
        self._mailbox.put(sample)


def _scaled(state: MvnBody, scale: float) -> MvnBody:
    p, v = state.positions, state.linear_velocities
    return dataclasses.replace(
        state,
        positions=None if p is None else scale * p,
        linear_velocities=None if v is None else scale * v,
    )


def _require_plausible(state: MvnBody) -> None:
    """Refuse what is no person."""
    if state.angular_velocities is not None:
        require_speeds(state.angular_velocities, MAX_ANGULAR_SPEED)
    if state.positions is not None:
        require_body(SEGMENTS, state.positions)
    if state.linear_velocities is not None:
        require_speeds(state.linear_velocities, MAX_SPEED)
