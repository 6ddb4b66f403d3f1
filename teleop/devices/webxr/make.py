"""Makes a headset's browser: `webxr`, `webxr:0.0.0.0:8443`, `webxr:simulated`."""

from __future__ import annotations

from telexist.retarget.errors import BadInput
from telexist.teleop.devices.base import Device, DeviceOptions, parse_endpoint
from telexist.teleop.devices.walk import WalkLimits
from telexist.teleop.devices.webxr.headset import WebXrHeadset

__all__ = ["make"]

PORT = 8443
LOOPBACK = "127.0.0.1"
SIMULATED = "simulated"


def make(text: str, options: DeviceOptions) -> Device:
    """Make `webxr:HOST:PORT?walk=sticks`; `webxr:simulated` plays a person.

    The simulated one is a client of the real page server; `?hands=bare` has no
    controllers.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    place = parse_endpoint(text, host=LOOPBACK, port=PORT, known=("hands", "walk"))
    if place.options.get("walk", "sticks") != "sticks":
        problem = f"walk={place.options['walk']}: the only choice is walk=sticks"
        raise BadInput(problem)
    walk = WalkLimits() if "walk" in place.options else None
    hands = place.options.get("hands", "controllers")
    if hands not in ("bare", "controllers"):
        raise BadInput(f"hands={hands}: choose bare or controllers")
    if place.host != SIMULATED:
        if "hands" in place.options:
            raise BadInput("hands= is for webxr:simulated; a headset tells by itself")
        return WebXrHeadset(host=place.host, port=place.port, walk=walk)
    from telexist.teleop.devices.webxr.simulated_headset import PlayedHeadset

    return PlayedHeadset(bare=hands == "bare", walk=walk)
