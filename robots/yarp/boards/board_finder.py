"""Which boards a robot has, and which version of YARP each speaks.

The version is told by which rpc port exists; nothing is ever tried out, for a board
acknowledges references of the other version and ignores them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from telexist.retarget.errors import RobotLost
from telexist.robots.yarp.network import Contact, NameClient
from telexist.robots.yarp.wire import YARP_3, YARP_4, Dialect

__all__ = ["FoundBoard", "find_boards"]

_RPC = re.compile(r"^(/.+?)/([^/]+)/(nws/rpc:i|rpc:i)$")
RPC = {"rpc:i": YARP_3, "nws/rpc:i": YARP_4}


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """A board in the list of the name server.

    Attributes:
        part: What it moves: "left_arm".
        dialect: Of YARP.
        rpc: Its port for questions.
        command: Its port for references.
        state: Its port that tells the state.
    """

    part: str
    dialect: Dialect
    rpc: Contact
    command: Contact
    state: Contact


def find_boards(
    names: NameClient, prefix: str, parts: Collection[str] = ()
) -> tuple[FoundBoard, ...]:
    """Return the boards of a robot, or those of some parts.

    Raises:
        RobotLost: If there are none, one is missing, or one cannot be told apart.
    """
    ports = names.list()
    seen: dict[str, list[str]] = {}
    for name in ports:
        match = _RPC.match(name)
        if match and match[1] == prefix and f"{prefix}/{match[2]}/command:i" in ports:
            seen.setdefault(match[2], []).append(match[3])
    missing = sorted(set(parts) - set(seen))
    if missing or not seen:
        raise RobotLost(_nothing(ports, prefix, missing or ["any part"]))
    wanted = [part for part in seen if not parts or part in parts]
    return tuple(_board(ports, prefix, part, seen[part]) for part in sorted(wanted))


def _board(
    ports: dict[str, Contact], prefix: str, part: str, kinds: list[str]
) -> FoundBoard:
    base = f"{prefix}/{part}"
    if len(kinds) != 1:
        raise RobotLost(
            f"{base} has the rpc ports of YARP 3 and of YARP 4: which one it speaks is "
            "never guessed; run `yarp clean`, or stop one of the two"
        )
    state = ports.get(f"{base}/stateExt:o")
    if state is None:
        raise RobotLost(
            f"{base} has no port stateExt:o: without its state it is not driven"
        )
    rpc = ports[f"{base}/{kinds[0]}"]
    return FoundBoard(part, RPC[kinds[0]], rpc, ports[f"{base}/command:i"], state)


def _nothing(ports: dict[str, Contact], prefix: str, missing: list[str]) -> str:
    others = sorted({m[1] for name in ports if (m := _RPC.match(name))})
    hint = (
        f"boards are seen under {', '.join(others)}" if others else "no boards at all"
    )
    return (
        f"no control board for {', '.join(missing)} under {prefix} ({hint}): start the "
        "robot's yarprobotinterface, or choose: --backend yarp?prefix=/NAME&parts=A,B"
    )
