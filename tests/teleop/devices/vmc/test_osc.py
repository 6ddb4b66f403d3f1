"""Our OSC against python-osc, in both directions."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message import OscMessage as WitnessMessage
from pythonosc.osc_message_builder import OscMessageBuilder
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.vmc.osc import (
    MAX_DEPTH,
    MAX_MESSAGES,
    OscMessage,
    build_bundle,
    build_osc,
    parse_osc,
)

ARGUMENTS = ("Hips", 0.5, -2.25, 7, -3, "", "größer", b"\1\2\3", True, False, None)


def witness(address: str, arguments: tuple) -> OscMessageBuilder:
    builder = OscMessageBuilder(address)
    for value in arguments:
        builder.add_arg(value)
    return builder


def test_what_the_witness_writes_is_read() -> None:
    data = witness("/a/b", ARGUMENTS).build().dgram
    assert parse_osc(data) == (OscMessage("/a/b", ARGUMENTS),)


def test_what_we_write_the_witness_reads() -> None:
    message = WitnessMessage(build_osc("/a/b", *ARGUMENTS))
    assert message.address == "/a/b"
    assert message.params == list(ARGUMENTS)


def test_doubles_and_long_integers_are_read() -> None:
    builder = OscMessageBuilder("/wide")
    builder.add_arg(0.1, "d")
    builder.add_arg(2**40, "h")
    builder.add_arg("end")
    assert parse_osc(builder.build().dgram)[0].arguments == (0.1, 2**40, "end")


def test_nested_bundles_of_the_witness_are_read_in_order() -> None:
    inner, outer = OscBundleBuilder(IMMEDIATELY), OscBundleBuilder(IMMEDIATELY)
    inner.add_content(witness("/2", (2.0,)).build())
    outer.add_content(witness("/1", (1.0,)).build())
    outer.add_content(inner.build())
    outer.add_content(witness("/3", ()).build())
    messages = parse_osc(outer.build().dgram)
    assert [m.address for m in messages] == ["/1", "/2", "/3"]


def test_our_bundles_are_bundles_for_the_witness() -> None:
    data = build_bundle([build_osc("/1", 1.0), build_osc("/2", "x")])
    bundle = OscBundle(data)
    assert [m.address for m in bundle] == ["/1", "/2"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"/abc",  # a text without end
        b"/ab\0",  # no types
        b"/ab\0,f\0\0",  # no number
        b"/ab\0,q\0\0",  # unknown type
        b"abc\0,\0\0\0",  # no address
        b"/ab\0,\0\0\0\0\0\0\0",  # more than the types say
        b"/a\0x,\0\0\0",  # padding that is none
        b"/\xff\0\0,\0\0\0",  # not UTF-8
        b"/ab\0,b\0\0" + struct.pack(">i", -1),
        b"/ab\0,b\0\0" + struct.pack(">i", 2**31 - 1),
        b"#bundle\0",
        b"#bundle\0" + bytes(8) + struct.pack(">i", -4),
        b"#bundle\0" + bytes(8) + struct.pack(">i", 2**30),
        b"#bundle\0" + bytes(8) + b"\0\0\0",
    ],
)
def test_broken_packets_are_refused(data: bytes) -> None:
    with pytest.raises(RefusedMessage, match="malformed"):
        parse_osc(data)


def test_depth_and_number_are_bounded() -> None:
    deep = build_osc("/a")
    for _ in range(MAX_DEPTH + 1):
        deep = build_bundle([deep])
    with pytest.raises(RefusedMessage):
        parse_osc(deep)
    with pytest.raises(RefusedMessage):
        parse_osc(build_bundle([build_osc("/a")] * (MAX_MESSAGES + 1)))
    with pytest.raises(RefusedMessage):
        parse_osc(build_osc("/a", *np.zeros(65).tolist()))
