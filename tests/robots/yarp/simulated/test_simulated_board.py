"""Simulated boards answer a recorded client as the real ones did."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from telexist.robots.yarp.network import NameClient, PortSession
from telexist.robots.yarp.simulated import (
    TABLES,
    BoardTable,
    SimulatedAxis,
    SimulatedBoard,
    load_table,
)
from telexist.robots.yarp.wire import (
    ACKNOWLEDGEMENT,
    YARP_3,
    YARP_4,
    Bottle,
    Dialect,
    Vocab,
    decode_bottle,
)

TORSO = BoardTable(
    "torso",
    (
        SimulatedAxis("torso_yaw", -50.0, 50.0, 50.0),
        SimulatedAxis("torso_roll", -30.0, 30.0, 50.0),
        SimulatedAxis("torso_pitch", -20.0, 70.0, 50.0),
    ),
    0.01,
)


def talks(path: Path, port: str) -> list[list[tuple[str, bytes]]]:
    """Return the turns of each conversation with a port."""
    found: dict[int, list[tuple[str, bytes]]] = {}
    for line in path.read_text().splitlines()[1:]:
        turn = json.loads(line)
        if turn.get("to", "").endswith(port):
            found[turn["conn"]] = []
        elif turn.get("conn") in found and "hex" in turn:
            found[turn["conn"]].append((turn["from"], bytes.fromhex(turn["hex"])))
    return [turns for turns in found.values() if turns]


@pytest.mark.parametrize(
    ("file", "dialect", "port"),
    [
        ("3.12/board_client.jsonl", YARP_3, "/rpc:i"),
        ("3.12/board_rpc.jsonl", YARP_3, "/rpc:i"),
        ("3.12/python.jsonl", YARP_3, "/rpc:i"),
        ("4.0/board.jsonl", YARP_4, "/nws/rpc:i"),
    ],
)
def test_a_recorded_client_gets_the_same_answers(
    shared_data: Path, file: str, dialect: Dialect, port: str
) -> None:
    path = shared_data / "yarp" / file
    if not path.exists():
        pytest.skip("no captures of YARP here: see tests/conftest.py")
    names = NameClient("127.0.0.1", 1)
    board = SimulatedBoard("/icub", TORSO, names, dialect=dialect, now=time.monotonic)
    board.ports[0].port = 10002
    compared = 0
    for turns in talks(path, port):
        session = PortSession(board.ports[0])
        for (who, said), (_, told) in zip(turns, turns[1:], strict=False):
            if who != "client" or not said.startswith(b"YA"):
                continue
            ours = session.feed(said)
            assert ours.endswith(ACKNOWLEDGEMENT) == told.endswith(ACKNOWLEDGEMENT)
            if len(told) > 8 and "Interfaces" not in str(said):
                assert timeless(ours, dialect) == timeless(told, dialect)
                compared += 1
    assert compared >= 7


def timeless(reply: bytes, dialect: Dialect) -> Bottle:
    """Return a reply without what depends on the time or on who moved before."""
    items = decode_bottle(reply.removesuffix(ACKNOWLEDGEMENT), dialect)
    if Vocab("tsta") in items:
        at = items.index(Vocab("tsta"))
        items[at + 1 : at + 3] = []
    if items[:2] == [Vocab("is"), Vocab("encs")] or len(items) == 3:
        return [
            list(map(type, item)) if isinstance(item, list) else item for item in items
        ]
    if items and isinstance(items[-1], list) and dialect is YARP_4:
        return [len(items[-1]), *map(type, items[-1])]
    return items


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_those_of_the_real_robots(shared_data: Path, name: str) -> None:
    path = shared_data / "yarp" / "boards.json"
    if not path.exists():
        pytest.skip("no tables of boards here: see tests/conftest.py")
    robots = json.loads(path.read_text())["robots"]
    real = robots[
        {"icub": "iCubGenova04", "icub3": "iCubGenova09", "ergocub": "ergoCubSN001"}[
            name
        ]
    ]
    table = load_table(name)
    assert [board.part for board in table.boards] == list(real)
    for board in table.boards:
        theirs = [
            (a["name"], a["min"], a["max"], a["vmax"]) for a in real[board.part]["axes"]
        ]
        assert [(a.name, a.lower, a.upper, a.speed) for a in board.axes] == theirs
        assert real[board.part]["port"] == f"{table.prefix}/{board.part}"
