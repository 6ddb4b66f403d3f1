"""What XRoboToolkit says of a person: JSON within JSON, and back.

    {"functionName": "Tracking", "value": "{...}"}

with `Body.joints`, 24 x {"p": "x,y,z,qx,qy,qz,qw", "t", "va", "wva"} in the axes of
`retarget/recordings/isaac/body24.py`; `Controller.left` and `.right` with `trigger` and
`grip` (0 to 1), `primaryButton` (X, A) and `secondaryButton` (Y, B); `appState.focus`;
and `timeStampNs`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import orjson
from telexist.retarget.recordings.isaac import JOINTS, Body24
from telexist.retarget.segments import SIDES
from telexist.teleop.devices.base import RefusedMessage

__all__ = ["PicoPad", "PicoTracking", "build_tracking", "parse_tracking"]

_FUNCTION = "Tracking"
_NUMBERS = 7  # of a pose


@dataclass(frozen=True, slots=True, kw_only=True)
class PicoPad:
    """What a hand presses."""

    trigger: float = 0.0
    grip: float = 0.0
    primary: bool = False
    secondary: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PicoTracking:
    """One sample.

    Attributes:
        time: On the headset's clock [s].
        body: The 24 joints; None while the app sends none.
        controllers: Those that are there, by side.
        focus: Whether the app is before the person's eyes.
    """

    time: float
    body: Body24 | None = None
    controllers: Mapping[str, PicoPad] = field(default_factory=dict)
    focus: bool = True


def parse_tracking(body: bytes) -> PicoTracking | None:
    """Read the body of a `FUNCTION` packet; None if it is of another function.

    Raises:
        RefusedMessage: If it makes no sense.
    """
    said = _table(_loads(body), "the message")
    if said.get("functionName") != _FUNCTION:
        return None
    value = said.get("value")
    tracked = _table(_loads(value) if isinstance(value, str) else value, "value")
    time = _number(tracked.get("timeStampNs"), "timeStampNs")
    shown = tracked.get("Body")
    pads = _table(tracked.get("Controller", {}), "Controller")
    state = _table(tracked.get("appState", {}), "appState")
    return PicoTracking(
        time=1e-9 * time,
        body=None if shown is None else _body(_table(shown, "Body")),
        controllers={
            side: _controller(_table(pads[side], side))
            for side in SIDES
            if side in pads
        },
        focus=state.get("focus") is not False,
    )


def build_tracking(tracking: PicoTracking) -> bytes:
    """Return the body of the packet, as the app writes it."""
    value: dict[str, Any] = {
        "predictTime": 1e6 * tracking.time,
        "appState": {"focus": tracking.focus},
        "timeStampNs": round(1e9 * tracking.time),
        "Input": 1,
    }
    if tracking.controllers:
        value["Controller"] = {
            side: {
                "axisX": 0.0,
                "axisY": 0.0,
                "axisClick": False,
                "grip": pad.grip,
                "trigger": pad.trigger,
                "primaryButton": pad.primary,
                "secondaryButton": pad.secondary,
                "menuButton": False,
                "pose": "0,0,0,0,0,0,1",
            }
            for side, pad in tracking.controllers.items()
        }
    if tracking.body is not None:
        body = tracking.body
        rows = np.hstack([body.positions, body.quats_xyzw]).astype(np.float32)
        still = "0,0,0,0,0,0"
        value["Body"] = {
            "joints": [
                {"p": ",".join(map(str, row)), "t": 0, "va": still, "wva": still}
                for row in rows.tolist()
            ]
        }
    text = orjson.dumps(value).decode()
    return orjson.dumps({"functionName": _FUNCTION, "value": text})


def _loads(text: bytes | str) -> object:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise RefusedMessage("malformed", "not JSON") from error


def _table(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise RefusedMessage("malformed", f"{what} is no table")
    return value


def _number(value: object, what: str) -> float:
    wrong = isinstance(value, bool) or not isinstance(value, int | float)
    if wrong or not math.isfinite(value):  # type: ignore[arg-type]
        raise RefusedMessage("malformed", f"{what} is no number")
    return float(value)  # type: ignore[arg-type]


def _body(said: Mapping[str, Any]) -> Body24:
    joints = said.get("joints")
    if not isinstance(joints, list) or len(joints) != len(JOINTS):
        raise RefusedMessage("malformed", f"not {len(JOINTS)} joints")
    poses = np.array([_pose(_table(joint, "a joint").get("p")) for joint in joints])
    return Body24(
        positions=poses[:, :3],
        quats_xyzw=poses[:, 3:],
        # A joint that is not tracked has the quaternion zero.
        valid=(np.abs(poses[:, 3:]) > 0.0).any(axis=1) | np.isnan(poses).any(axis=1),
    )


def _pose(text: object) -> list[float]:
    parts = text.split(",") if isinstance(text, str) else []
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) != _NUMBERS:
        raise RefusedMessage("malformed", "a pose that is not seven numbers")
    return numbers


def _controller(said: Mapping[str, Any]) -> PicoPad:
    return PicoPad(
        trigger=_number(said.get("trigger", 0.0), "trigger"),
        grip=_number(said.get("grip", 0.0), "grip"),
        primary=said.get("primaryButton") is True,
        secondary=said.get("secondaryButton") is True,
    )
