"""MVN's network streamer, played from a recording.

Settings (`--set`): kinds=02+21+22 (any of 01, 02, 05, 12, 13, 21, 22, 24), parts=3
(datagrams per message), unit=m or cm, character=0, name=NAME, frames=t-pose or n-pose.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.human_size import TIPS, HumanSize
from telexist.retarget.recordings import read_clip
from telexist.retarget.recordings.mvnx import TIP_POINTS
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.teleop.devices.person import T_POSE, OperatorPose, SimulatedOperator
from telexist.teleop.devices.simulators.senders.options import (
    SimulatorOptions,
    TimedPackets,
)
from telexist.teleop.devices.simulators.senders.settings import read_settings
from telexist.teleop.devices.xsens import (
    ITEM_SIZES,
    Header,
    MvnBody,
    ScalePoint,
    build_items,
    build_message,
    build_meta,
    build_scale,
    write_body,
)

__all__ = ["MvnSender", "simulate_xsens"]

_KINDS = (*ITEM_SIZES, "12", "13")
_RARE = 60  # samples between two messages about the person
_DEFAULTS = {
    "kinds": "02+21+22",
    "parts": "1",
    "unit": "",
    "character": "0",
    "name": "operator",
    "frames": "t-pose",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MvnSender:
    """Turns poses into MVN's messages.

    Attributes:
        kinds: Which messages, in the order in which they are sent.
        parts: Into how many datagrams each message is split.
        unit: "m", "cm", or "" for centimetres in 01 and metres elsewhere, as MVN.
        character: Number of the person.
        name: Name of the person.
    """

    kinds: tuple[str, ...] = ("02", "21", "22")
    parts: int = 1
    unit: str = ""
    character: int = 0
    name: str = "operator"

    def __post_init__(self) -> None:
        """Check the options."""
        for kind in self.kinds:
            if kind not in _KINDS:
                raise UnknownName("message of MVN", kind, _KINDS)
        if not 1 <= self.parts <= len(SEGMENTS) or not 0 <= self.character < 256:
            raise BadInput("parts: 1 to 23; character: 0 to 255")
        if self.unit not in ("", "m", "cm"):
            raise BadInput(f"unit '{self.unit}': choose m or cm")

    def messages(
        self, pose: OperatorPose, sample: int, size: HumanSize
    ) -> tuple[bytes, ...]:
        """Return the datagrams of one sample."""
        datagrams: list[bytes] = []
        for kind in self.kinds:
            if kind not in ("12", "13"):
                datagrams += self._message(kind, pose, sample)
            elif sample % _RARE == 0:
                datagrams += self._person(kind, sample, size)
        return tuple(datagrams)

    def _message(self, kind: str, pose: OperatorPose, sample: int) -> Iterator[bytes]:
        time_code = round(1000.0 * pose.time)
        k = 100.0 if (self.unit or ("cm" if kind == "01" else "m")) == "cm" else 1.0
        if kind == "24":
            com = k * pose.positions.mean(axis=0)  # near enough for a simulator
            header = self._header(kind, sample, items=1, time_code=time_code)
            yield build_message(header, build_items(None, com[None]))
            return
        values = write_body(
            kind,
            MvnBody(
                rotations=pose.rotations,
                positions=k * pose.positions,
                angular_velocities=pose.angular_velocities,
                linear_velocities=k * pose.linear_velocities,
            ),
        )
        ids = np.arange(1, len(SEGMENTS) + 1)
        pieces = np.array_split(np.arange(len(SEGMENTS)), self.parts)
        for part, rows in enumerate(pieces):
            header = Header(
                kind=kind,
                sample=sample,
                part=part,
                last=part == self.parts - 1,
                items=len(rows),
                time_code=time_code,
                character=self.character,
            )
            yield build_message(header, build_items(ids[rows], values[rows]))

    def _header(self, kind: str, sample: int, *, items: int, time_code: int) -> Header:
        return Header(
            kind=kind,
            sample=sample,
            items=items,
            time_code=time_code,
            character=self.character,
        )

    def _person(self, kind: str, sample: int, size: HumanSize) -> Iterator[bytes]:
        header = self._header(kind, sample, items=1, time_code=0)
        if kind == "12":
            tags = {"name": self.name, "xmid": "00000000", "color": "0080ff"}
            yield build_message(header, build_meta(tags))
            return
        k = 100.0 if self.unit == "cm" else 1.0
        placed = k * size.positions(T_POSE, size.joints["Pelvis"])
        origins = dict(zip(SEGMENTS, placed, strict=True))
        yield build_message(header, build_scale(origins, []))
        yield build_message(header, build_scale({}, _points(size, k)))


def _points(size: HumanSize, k: float) -> list[ScalePoint]:
    """Return the ends of the segments in the frames of T-pose."""
    points = []
    for number, (tip, segment) in enumerate(TIPS.items(), start=1):
        i = SEGMENT_INDEX[segment]
        offset = T_POSE[i] @ (size.tips[tip] - size.joints[segment])
        points.append(
            ScalePoint(
                segment=i + 1, number=number, name=TIP_POINTS[tip], position=k * offset
            )
        )
    return points


def simulate_xsens(options: SimulatorOptions) -> Iterator[TimedPackets]:
    """Play a recording as MVN does.

    Raises:
        BadInput: If an option is wrong.
    """
    chosen = read_settings(options.settings, _DEFAULTS)
    sender = MvnSender(
        kinds=tuple(chosen.text("kinds").split("+")),
        parts=chosen.whole("parts"),
        unit=chosen.text("unit"),
        character=chosen.whole("character"),
        name=chosen.text("name"),
    )
    operator = SimulatedOperator(
        read_clip(options.clip),
        height=options.operator_height,
        heading=options.heading,
        frames=chosen.text("frames"),
        noise=options.noise,
        n_pose=options.n_pose,
        loop=options.loop,
    )
    size = operator.size
    return (
        TimedPackets(time=pose.time, packets=sender.messages(pose, sample, size))
        for sample, pose in enumerate(operator.poses(options.rate))
    )
