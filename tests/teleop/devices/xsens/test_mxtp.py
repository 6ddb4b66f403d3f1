"""MVN's wire format against bytes written by hand from its specification."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.xsens.mxtp import (
    Header,
    Items,
    build_items,
    build_message,
    message_length,
    parse_header,
    parse_items,
)
from telexist.teleop.devices.xsens.mxtp_parts import MAX_OPEN, PartsCollector

ONE_ITEM = bytes.fromhex(
    "4d585450 3032"  # MXTP02
    "00000102"  # sample 258
    "80"  # one datagram, the last
    "01"  # items
    "0000ea60"  # 60 000 ms
    "03"  # character
    "17 02 28"  # 23 segments, 2 props, 40 finger segments
    "0000"  # reserved
    "0020"  # 32 bytes of payload
    "00000007"  # segment 7
    "3f800000 c0000000 3e800000"  # 1, -2, 0.25
    "3f000000 3f000000 bf000000 3f000000"  # quaternion (1, 1, -1, 1) / 2
)


def test_hand_written_bytes_are_read() -> None:
    header = parse_header(ONE_ITEM)
    assert header == Header(
        kind="02",
        sample=258,
        items=1,
        time_code=60000,
        character=3,
        props=2,
        fingers=40,
        payload=32,
    )
    items = parse_items(header, ONE_ITEM)
    assert items.ids.tolist() == [7]
    assert items.values.tolist() == [[1.0, -2.0, 0.25, 0.5, 0.5, -0.5, 0.5]]


def test_what_is_written_are_the_hand_written_bytes() -> None:
    values = np.array([[1.0, -2.0, 0.25, 0.5, 0.5, -0.5, 0.5]])
    header = Header(
        kind="02",
        sample=258,
        items=1,
        time_code=60000,
        character=3,
        props=2,
        fingers=40,
    )
    assert build_message(header, build_items(np.array([7]), values)) == ONE_ITEM


def test_longer_items_of_newer_versions_are_read_by_their_size() -> None:
    header = Header(kind="24", sample=1, items=1)
    data = build_message(header, struct.pack(">9f", *range(9)))
    assert parse_items(parse_header(data), data).values.tolist() == [list(range(9))]


def test_a_size_of_zero_is_that_of_old_versions() -> None:
    old = ONE_ITEM[:22] + b"\0\0" + ONE_ITEM[24:]
    assert len(parse_items(parse_header(old), old).ids) == 1
    assert message_length(old) == len(old)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        ONE_ITEM[:23],
        b"MXTQ02" + ONE_ITEM[6:],
        b"MXTP99" + ONE_ITEM[6:],
        ONE_ITEM[:17] + b"\x16" + ONE_ITEM[18:],  # 22 segments
    ],
)
def test_other_headers_are_refused(data: bytes) -> None:
    with pytest.raises(RefusedMessage):
        parse_header(data)


@pytest.mark.parametrize(
    "data",
    [
        ONE_ITEM[:-1],
        ONE_ITEM + b"\0",
        ONE_ITEM[:11] + b"\x00" + ONE_ITEM[12:],  # no items
        ONE_ITEM[:11] + b"\x02" + ONE_ITEM[12:],  # two items of 16 bytes
    ],
)
def test_payloads_of_wrong_size_are_refused(data: bytes) -> None:
    with pytest.raises(RefusedMessage):
        parse_items(parse_header(data), data)


def part(sample: int, number: int, ids: list[int], *, last: bool = False) -> tuple:
    header = Header(kind="02", sample=sample, part=number, last=last, items=len(ids))
    return header, Items(ids=np.array(ids), values=np.ones((len(ids), 7)))


def test_parts_are_joined_in_order_whatever_the_order_of_arrival() -> None:
    parts = PartsCollector()
    assert parts.add(*part(5, 2, [5], last=True)) is None
    assert parts.add(*part(5, 0, [1, 2])) is None
    whole = parts.add(*part(5, 1, [3, 4]))
    assert whole is not None and whole.ids.tolist() == [1, 2, 3, 4, 5]


def test_a_part_that_comes_twice_is_refused() -> None:
    parts = PartsCollector()
    parts.add(*part(5, 0, [1]))
    with pytest.raises(RefusedMessage, match="duplicate"):
        parts.add(*part(5, 0, [1]))


def test_unfinished_messages_are_counted_and_bounded() -> None:
    parts = PartsCollector()
    for sample in range(MAX_OPEN + 3):
        parts.add(*part(sample, 0, [1]))
    assert parts.take_abandoned() == 3
    parts.keep_only(0, 1000)
    assert parts.take_abandoned() == MAX_OPEN
    assert parts.add(*part(MAX_OPEN + 2, 1, [2], last=True)) is None
