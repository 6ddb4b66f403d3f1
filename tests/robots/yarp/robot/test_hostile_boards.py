"""Boards that talk nonsense: it is refused in words, and nothing moves."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import BadMessage, RobotLost
from telexist.robots.yarp.boards import (
    FoundBoard,
    open_board_rpc,
    read_board_state,
)
from telexist.robots.yarp.network import Contact, NameClient, Port
from telexist.robots.yarp.simulated import (
    SimulatedBoard,
    SimulatedNameServer,
    load_table,
)
from telexist.robots.yarp.wire import (
    OK,
    YARP_3,
    YARP_4,
    Bottle,
    Dialect,
    Vocab,
    encode_bottle,
)


@pytest.mark.parametrize("dialect", [YARP_3, YARP_4], ids=["3", "4"])
def test_states_that_are_mutated_are_read_or_refused(dialect: Dialect) -> None:
    names = NameClient("127.0.0.1", 1)
    table = load_table("icub").boards[1]
    board = SimulatedBoard("/icub", table, names, dialect=dialect, now=time.time)
    good = encode_bottle(board._fields([1.0, 2.0, 3.0]), dialect)
    state = read_board_state(good, 3, dialect)
    assert state.position == (1.0, 2.0, 3.0) and state.modes == ("pos",) * 3
    rng = np.random.default_rng(9)
    refused = 0
    for i in range(10_000):
        data = bytearray(good)
        for _ in range(1 + i % 6):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        try:
            read = read_board_state(bytes(data), 3, dialect)
            assert len(read.modes) == 3 and len(read.position) in (0, 3)
        except BadMessage:
            refused += 1
    assert refused > 1_000
    fields = board._fields([1.0, 2.0, 3.0])
    fields[18] = [float("inf"), float("nan"), 1e300]
    assert read_board_state(encode_bottle(fields, dialect), 3, dialect).modes == (
        "?",
        "?",
        "?",
    )


@pytest.mark.parametrize(
    "reply",
    [
        [],
        [OK],
        [Vocab("is"), Vocab("axes"), -1, OK],
        [Vocab("is"), Vocab("axes"), 10**9, OK],
        [Vocab("is"), Vocab("axes"), "three", OK],
        [Vocab("prot"), 2, 0, 0, OK],
        [Vocab("is"), Vocab("encs"), 3, OK],
    ],
)
def test_answers_that_make_no_sense_are_told(reply: Bottle) -> None:
    server = SimulatedNameServer()
    server.open()
    names = NameClient(server.host, server.port)
    port = Port("/x/rpc:i", names, dialect=YARP_3, on_question=lambda *_: list(reply))
    port.open()
    contact = Contact("/x/rpc:i", port.host, port.port)
    rpc = open_board_rpc(
        FoundBoard("x", YARP_3, contact, contact, contact), "/me", timeout=30.0
    )
    asks: list[Callable[[], Any]] = [
        rpc.axes,
        rpc.encoders,
        lambda: rpc.set_mode(0, "pos"),
    ]
    for ask in asks:
        if ask is asks[2] and reply == [OK]:
            continue
        with pytest.raises(RobotLost):
            ask()
    rpc.close()
    port.close()
    server.close()
