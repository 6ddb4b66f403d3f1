"""What is to be published: `--publish yarp:HOST:PORT?what=wearables+goal`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from telexist.retarget.errors import BadInput, UnknownName
from telexist.robots.yarp.iit import GoalScale
from telexist.robots.yarp.network import name_server_address
from telexist.robots.yarp.wire import YARP_3, YARP_4, Dialect
from telexist.teleop.devices.base import parse_endpoint

__all__ = ["PORTS", "PublishSettings", "read_publish_settings"]

PORTS = {
    "wearables": "/XsensSuit/WearableData/data:o",
    "state": "/HDE/HumanStateServer/state:o",
    "wrench": "/HDE/HumanWrenchServer/wrench:o",
    "dynamics": "/HDE/HumanDynamicsServer/torques:o",
    "goal": "/telexist/goal:o",
    "frames": "/telexist/frames:o",
}
"""What can be published, and under which name: those of the programs it replaces."""
OPTIONS = ("what", "version", "rate", "to", "root", "numbers", *PORTS)
DIALECTS = {"3": YARP_3, "4": YARP_4}
GOAL_TO = "/walking-coordinator/goal:i"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishSettings:
    """Where and what.

    Attributes:
        host: Of the name server.
        port: Of the name server.
        ports: Kind of message to the name of our port.
        dialect: Of YARP.
        period: Between two looks at what is new [s].
        goal_to: Port that walking goals are sent to; "" for who connects by himself.
        goal_scale: Speeds that a goal of 1 stands for.
        goal_numbers: 3, or 2 for planners that take a point.
        root_turned: Whether x of the robot's root points back, as an iCub's does.
    """

    host: str
    port: int
    ports: dict[str, str]
    dialect: Dialect = YARP_3
    period: float = 0.01
    goal_to: str = GOAL_TO
    goal_scale: GoalScale = field(default_factory=GoalScale)
    goal_numbers: int = 3
    root_turned: bool = False


def read_publish_settings(text: str) -> PublishSettings:
    """Read "HOST:PORT?what=wearables+goal&goal=/joypad/goal:o&version=4".

    Raises:
        BadInput: If an option is unknown or its value is none.
    """
    place = parse_endpoint(text, host="", port=0, known=OPTIONS)
    given = dict(place.options)
    usual, number = name_server_address()
    kinds = [kind for kind in given.get("what", "wearables").split("+") if kind]
    for kind in kinds:
        if kind not in PORTS:
            raise UnknownName("kind of message to publish", kind, PORTS)
    ports = {kind: given.get(kind, PORTS[kind]) for kind in kinds}
    for name in ports.values():
        if not name.startswith("/") or " " in name:
            raise BadInput(f"'{name}' is no name of a port: it begins with /")
    return PublishSettings(
        host=place.host or usual,
        port=place.port or (10000 if place.host else number),
        ports=ports,
        dialect=DIALECTS[_one_of(given, "version", "3", DIALECTS)],
        period=1.0 / _rate(given.get("rate", "100")),
        goal_to=given.get("to", GOAL_TO),
        goal_numbers=int(_one_of(given, "numbers", "3", ("2", "3"))),
        root_turned=_one_of(given, "root", "ahead", ("ahead", "back")) == "back",
    )


def _one_of(
    given: dict[str, str], name: str, usual: str, known: Collection[str]
) -> str:
    value = given.get(name, usual)
    if value not in known:
        raise BadInput(f"{name}={value}: choose {' or '.join(known)}")
    return value


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = float("nan")
    if not 20.0 <= rate <= 1000.0:
        raise BadInput(f"rate={text}: expected 20 to 1000 Hz")
    return rate
