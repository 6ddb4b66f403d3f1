"""The channels of a recorded session, and what one message of each holds.

One table for the recorder, the reader and the schemas in the file. A message is a JSON
object; numbers are SI and radians and read back bit for bit, except that NaN and
infinity are both `null` and read back as NaN. A field that was None is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from telexist.retarget.person_dynamics import SCORES, SHAPES
from telexist.teleop.terms import STAGES

__all__ = ["CHANNELS", "Channel", "Field", "json_schema"]

Kind = Literal["number", "integer", "boolean", "string", "object"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message.

    Attributes:
        kind: Type of its values.
        shape: Of its array: a number, "n" for the joints, "f" for those of fingers, "s"
            for the segments, "*" for any length; () for a single value.
        optional: Whether it may be left out.
        former: What it was called in older recordings.
    """

    kind: Kind = "number"
    shape: tuple[int | str, ...] = ()
    optional: bool = False
    former: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """One stream of messages.

    Attributes:
        topic: Its name in the file.
        schema: Name of the message type.
        fields: What a message holds, beside `tick` and `stamp`.
        notes: What a reader must know to understand the numbers.
    """

    topic: str
    schema: str
    fields: Mapping[str, Field]
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def all_fields(self) -> dict[str, Field]:
        """Its fields, with the number of the turn and the time of the sample [s]."""
        return {"tick": Field("integer"), "stamp": Field(), **self.fields}


_JOINTS = Field(shape=("n",))
_TEXT = Field("string")
_FLAGS = Field("boolean", (2,))
_VECTOR = Field(shape=(3,), optional=True)
_HUMAN = {
    "sequence": Field("integer"),
    "segments": Field("string", ("s",)),
    "rotations": Field(shape=("s", 3, 3)),
    "angular_velocities": Field(shape=("s", 3)),
    "positions": Field(shape=("s", 3), optional=True),
    "linear_velocities": Field(shape=("s", 3), optional=True),
    "hand_points": Field(shape=(2, 25, 3), optional=True),
}
_ROBOT = {
    "q": _JOINTS,
    "dq": _JOINTS,
    "tau": _JOINTS,
    "imu_acceleration": Field(shape=(3,)),
    "imu_angular_velocity": Field(shape=(3,)),
    "imu_world_R_base": Field(shape=(3, 3), former="imu_R_base"),
    "foot_wrenches": Field(shape=(2, 6)),
    "hand_wrenches": Field(shape=(2, 6), optional=True),
    "hand_deviations": Field(shape=(2, 6), optional=True),
    "world_p_base": _VECTOR,
    "world_R_base": Field(shape=(3, 3), optional=True),
    "world_v_base": Field(shape=(3,), optional=True, former="base_v"),
    "world_w_base": Field(shape=(3,), optional=True, former="base_w"),
}

CHANNELS: Mapping[str, Channel] = MappingProxyType(
    {
        "loop": Channel(
            topic="/loop",
            schema="telexist.Loop",
            fields={
                "period": Field(),
                "age": Field(),
                "state": _TEXT,
                "stages": Field(shape=(len(STAGES),)),
            },
            notes={"stages": ",".join(STAGES), "units": "s"},
        ),
        "input": Channel(
            topic="/input",
            schema="telexist.Input",
            fields={
                "device": Field("integer"),
                "sequence": Field("integer"),
                "human": Field("boolean"),
                "walk": _VECTOR,
                "hands": Field(shape=(2,), optional=True),
                "treadmill": Field(shape=(4,), optional=True),
                "forces": Field(shape=(2, 6), optional=True),
                "requests": Field("string", ("*",)),
                "dead_man": Field("boolean", optional=True),
                "dropped": Field("object"),
            },
            notes={
                "walk": "vx [m/s], vy [m/s], wz [rad/s]",
                "hands": "left, right: 0 open, 1 closed",
                "forces": "left, right: force [N], moment [N m], as sensors said it",
                "treadmill": "yaw [rad], speed [m/s], direction [rad], height [m]",
            },
        ),
        "raw": Channel(topic="/human/raw", schema="telexist.HumanFrame", fields=_HUMAN),
        "human": Channel(
            topic="/human/calibrated", schema="telexist.HumanFrame", fields=_HUMAN
        ),
        "targets": Channel(
            topic="/targets",
            schema="telexist.RobotFrame",
            fields={
                "q": _JOINTS,
                "dq": _JOINTS,
                "world_p_base": Field(shape=(3,)),
                "world_R_base": Field(shape=(3, 3)),
                "planted": _FLAGS,
            },
        ),
        "reference": Channel(
            topic="/reference",
            schema="telexist.RobotReference",
            fields={
                "q": _JOINTS,
                "dq": _JOINTS,
                "ddq": _JOINTS,
                "planted": _FLAGS,
                "walk": Field(shape=(3,)),
            },
        ),
        "command": Channel(
            topic="/command",
            schema="telexist.JointCommand",
            fields={
                "q": _JOINTS,
                "dq": _JOINTS,
                "tau": Field(shape=("n",), optional=True),
                "hands": Field(shape=(2,), optional=True),
                "fingers": Field(shape=("f",), optional=True),
            },
        ),
        "robot": Channel(topic="/robot", schema="telexist.RobotState", fields=_ROBOT),
        "controller": Channel(
            topic="/controller",
            schema="telexist.ControllerReport",
            fields={"values": Field("object")},
        ),
        "dynamics": Channel(
            topic="/human/dynamics",
            schema="telexist.PersonDynamics",
            fields={"lag": Field(), "mass": Field()}
            | {name: Field(shape=shape) for name, shape in SHAPES.items()},
            notes={
                "stamp": "the moment that is described, `lag` before it was known",
                "units": "kg, N, N m, rad; *_sd are standard deviations",
                "scores": ",".join(SCORES),
            },
        ),
        "feedback": Channel(
            topic="/feedback",
            schema="telexist.Feedback",
            fields={"hand_forces": Field(shape=(2,))},
        ),
        "events": Channel(
            topic="/events",
            schema="telexist.Event",
            fields={
                "kind": _TEXT,
                "reason": _TEXT,
                "state": _TEXT,
                "device": Field("string", optional=True),
            },
        ),
        "calibration": Channel(
            topic="/calibration", schema="telexist.Text", fields={"text": _TEXT}
        ),
        "configuration": Channel(
            topic="/configuration", schema="telexist.Text", fields={"text": _TEXT}
        ),
        "camera": Channel(
            topic="/camera",
            schema="foxglove.CompressedImage",
            fields={
                "timestamp": Field("object"),
                "frame_id": _TEXT,
                "data": _TEXT,
                "format": _TEXT,
            },
        ),
    }
)
"""Short name of a channel to what it is."""


def json_schema(channel: Channel) -> dict[str, object]:
    """Return the schema of a channel's messages, as viewers want it."""
    fields = channel.all_fields
    properties = {name: _schema_of(name, kept) for name, kept in fields.items()}
    return {
        "title": channel.schema,
        "type": "object",
        "properties": properties,
        "required": [name for name, kept in fields.items() if not kept.optional],
    }


def _schema_of(name: str, kept: Field) -> dict[str, object]:
    schema: dict[str, object] = {"type": kept.kind}
    if name == "timestamp":
        whole = {"type": "integer"}
        schema |= {"title": "time", "properties": {"sec": whole, "nsec": whole}}
    if name == "data":
        schema |= {"contentEncoding": "base64"}
    for _ in kept.shape:
        schema = {"type": "array", "items": schema}
    return schema
