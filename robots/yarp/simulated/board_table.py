"""Which boards and axes a robot has."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources

from telexist.retarget.errors import UnknownName

__all__ = ["TABLES", "BoardTable", "RobotTable", "SimulatedAxis", "load_table"]

TABLES = ("icub", "icub3", "ergocub")


@dataclass(frozen=True, slots=True)
class SimulatedAxis:
    """One axis: name, limits [deg], and greatest speed [deg/s]."""

    name: str
    lower: float
    upper: float
    speed: float


@dataclass(frozen=True, slots=True)
class BoardTable:
    """One board: the part it moves, its axes in order, and its period [s]."""

    part: str
    axes: tuple[SimulatedAxis, ...]
    period: float


@dataclass(frozen=True, slots=True)
class RobotTable:
    """A robot: the beginning of its ports' names, its boards, its base's link."""

    title: str
    prefix: str
    boards: tuple[BoardTable, ...]
    base: str = "root_link"


def load_table(name: str) -> RobotTable:
    """Return the boards of a robot.

    Raises:
        UnknownName: If there is no table of that name.
    """
    if name not in TABLES:
        raise UnknownName("simulated YARP robot", name, TABLES)
    file = resources.files("telexist.robots.yarp.simulated") / "tables" / f"{name}.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return RobotTable(
        title=table["title"],
        prefix=table["prefix"],
        boards=tuple(
            BoardTable(
                part=part,
                axes=tuple(SimulatedAxis(*axis) for axis in board["axes"]),
                period=board["period"],
            )
            for part, board in table["boards"].items()
        ),
    )
