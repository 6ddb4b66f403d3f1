"""Makes an OptiTrack system from the text that a user writes after `optitrack`."""

from __future__ import annotations

import ipaddress

from telexist.retarget.errors import BadInput
from telexist.teleop.devices.base import (
    Device,
    DeviceOptions,
    parse_endpoint,
    whole_option,
)
from telexist.teleop.devices.network import LOOPBACK
from telexist.teleop.devices.optitrack.optitrack_stream import (
    NATNET_GROUP,
    NATNET_PORTS,
    OptitrackStream,
)

__all__ = ["make"]

_KNOWN = ("local", "multicast", "data", "skeleton", "bodies")


def make(text: str, options: DeviceOptions) -> Device:
    """Make `optitrack:SERVER:PORT?multicast=239.255.42.99&local=ADDRESS&skeleton=NAME`.

    Further `data=PORT` of the group, and `bodies=HAT~Head+WAND~RightHand`.

    Raises:
        BadInput: If the text is wrong.
    """
    del options
    place = parse_endpoint(text, host=LOOPBACK, port=NATNET_PORTS[0], known=_KNOWN)
    given = place.options
    pairs = [pair.partition("~") for pair in given.get("bodies", "").split("+") if pair]
    group = given.get("multicast")
    if group is not None:
        group = _multicast(group or NATNET_GROUP)
    return OptitrackStream(
        server=place.host,
        port=place.port,
        local=given.get("local"),
        group=group,
        data_port=whole_option(given, "data") or NATNET_PORTS[1],
        skeleton=given.get("skeleton"),
        bodies={name: segment for name, _, segment in pairs},
    )


def _multicast(text: str) -> str:
    try:
        if ipaddress.IPv4Address(text).is_multicast:
            return text
    except ValueError:
        pass
    raise BadInput(f"multicast={text}: expected a group such as {NATNET_GROUP}")
