"""Makes a headset: `openvr`, `openvr:simulated`, `openvr?trackers=LHR-1A~Pelvis`."""

from __future__ import annotations

from telexist.retarget.errors import BadInput
from telexist.teleop.devices.base import Device, DeviceOptions, split_query
from telexist.teleop.devices.openvr.headset import OpenVrHeadset
from telexist.teleop.devices.walk import WalkLimits

__all__ = ["make"]


_SIMULATED = "simulated"


def make(text: str, options: DeviceOptions) -> Device:
    """Make `openvr?trackers=SERIAL~SEGMENT+SERIAL~SEGMENT&walk=sticks`.

    `openvr:simulated` is a person who performs the built-in motion.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    place, query = split_query(text, ("trackers", "walk"))
    if place not in ("", _SIMULATED):
        raise BadInput(f"openvr takes no further words, such as '{place}'")
    pairs = filter(None, query.get("trackers", "").split("+"))
    if query.get("walk", "sticks") != "sticks":
        raise BadInput(f"walk={query['walk']}: the only choice is walk=sticks")
    roles = dict(pair.partition("~")[::2] for pair in pairs)
    walk = WalkLimits() if "walk" in query else None
    if place != _SIMULATED:
        return OpenVrHeadset(roles=roles, walk=walk)
    from telexist.teleop.devices.openvr.steamvr_operator import PlayedSteamVr

    name = "headset (simulated)"
    return OpenVrHeadset(roles=roles, walk=walk, library=PlayedSteamVr(), name=name)
