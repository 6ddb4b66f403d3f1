"""Every message that the real YARP sent is read and written as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import BadMessage
from telexist.robots.yarp.wire import (
    YARP_3,
    YARP_4,
    Dialect,
    Float32,
    FrameReader,
    Int8,
    Vocab,
    decode_bottle,
    encode_bottle,
    parse_text,
    print_text,
)

DIALECTS = {"3.12": YARP_3, "4.0": YARP_4}


@pytest.fixture(params=DIALECTS)
def captured(
    request: pytest.FixtureRequest, shared_data: Path
) -> tuple[Dialect, list[dict[str, Any]], Path]:
    folder = shared_data / "yarp" / request.param
    if not folder.is_dir():
        pytest.skip("no captures of YARP here: see tests/conftest.py")
    messages = json.loads((folder / "messages.json").read_text())["messages"]
    return DIALECTS[request.param], messages, folder


def test_messages_read_as_yarp_printed_them_and_are_written_with_the_same_bytes(
    captured: tuple[Dialect, list[dict[str, Any]], Path],
) -> None:
    dialect, messages, _ = captured
    assert len(messages) >= 19
    for message in messages:
        payload = bytes.fromhex(message["payload"])
        items = decode_bottle(payload, dialect)
        assert print_text(items) == message["yarp_read_printed"], message["what"]
        assert encode_bottle(items, dialect) == payload, message["what"]


def test_frames_of_all_captures_are_read_and_their_bottles_written_again(
    captured: tuple[Dialect, list[dict[str, Any]], Path],
) -> None:
    dialect, _, folder = captured
    found = 0
    for path in sorted(folder.glob("*.jsonl")):
        for data in turns_in_frames(path):
            reader = FrameReader()
            for i in range(0, len(data), 7):  # in pieces, as a network may cut them
                reader.feed(data[i : i + 7])
            while reader.buffer:
                if reader.buffer[:8] == b"YA\0\0\0\0RP":
                    reader.code()
                    continue
                frame = reader.frame()
                if frame is None:  # the capture was cut there
                    break
                if frame.payload:
                    items = decode_bottle(frame.payload, dialect)
                    assert encode_bottle(items, dialect) == frame.payload
                    assert parse_back(items) or path.name.startswith("messages")
                found += 1
    assert found > 30


def parse_back(items: list[Any]) -> bool:
    return print_text(parse_text(print_text(items))) == print_text(items)


def turns_in_frames(path: Path) -> list[bytes]:
    """Return what each client sent after its handshake, where it spoke in frames."""
    talks: dict[int, bytes] = {}
    for line in path.read_text().splitlines()[1:]:
        turn = json.loads(line)
        if turn.get("from") == "client" and "hex" in turn:
            talks[turn["conn"]] = talks.get(turn["conn"], b"") + bytes.fromhex(
                turn["hex"]
            )
    found = []
    for data in talks.values():
        if data[:2] == b"YA" and data[2:4] in (b"\xe4\x1e", b"\x64\x1e"):
            found.append(data[12 + int.from_bytes(data[8:12], "little") :])
    return found


SEEDS = [
    [1, 2.5, "two words", Vocab("set"), [1.0, 2.0], b"\0\xff", []],
    [["a", [1, "x"]], Float32(1.5), Int8(-5), 2**40, "café €"],
    [[[Vocab("dpos")], [0.0] * 16]],
]


@pytest.mark.parametrize("dialect", [YARP_3, YARP_4], ids=["3", "4"])
def test_hostile_bytes_are_refused_in_words_and_never_crash(dialect: Dialect) -> None:
    rng = np.random.default_rng(5)
    seeds = [encode_bottle(items, dialect) for items in SEEDS]
    refused = 0
    for i in range(10_000):
        if i % 2:
            data = rng.bytes(int(rng.integers(0, 80)))
        else:
            mutated = bytearray(seeds[i % len(seeds)])
            for _ in range(int(rng.integers(1, 4))):
                mutated[int(rng.integers(len(mutated)))] = int(rng.integers(256))
            data = bytes(mutated[: int(rng.integers(1, len(mutated) + 1))])
        try:
            print_text(decode_bottle(data, dialect))
        except BadMessage:
            refused += 1
    assert 5_000 < refused < 10_000


@pytest.mark.parametrize("text", ["(1 2", "1 2)", '"open', "[a b", "{1 x}", "{999}"])
def test_texts_that_do_not_close_are_refused(text: str) -> None:
    with pytest.raises(BadMessage):
        parse_text(text)


@pytest.mark.parametrize("value", [True, object(), Vocab("toolong"), 2**70])
def test_values_that_yarp_has_no_type_for_are_refused(value: Any) -> None:
    with pytest.raises(BadMessage):
        encode_bottle([value], YARP_3)
