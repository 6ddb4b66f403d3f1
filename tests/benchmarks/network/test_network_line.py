"""The line between two machines: what it delays, what a NAT lets in, and the whole."""

from __future__ import annotations

import os
import socket
import struct
from pathlib import Path

import pytest
from telexist.benchmarks.network.tun_line import Line
from telexist.benchmarks.network.two_machines import measure
from telexist.retarget.errors import BadInput

HOME, WORLD = "10.0.0.2", "10.0.0.9"


def packet(source: str, target: str, out: int, into: int, kind: int = 17) -> bytes:
    """Return the begin of an IPv4 packet of UDP or TCP."""
    head = struct.pack(">BBHHHBBH", 0x45, 0, 28, 0, 0, 64, kind, 0)
    head += socket.inet_aton(source) + socket.inet_aton(target)
    return head + struct.pack(">HHHH", out, into, 8, 0)


def test_a_nat_lets_in_only_answers() -> None:
    line = Line({}, behind_nat=frozenset({HOME}))
    assert not line._passes(packet(WORLD, HOME, 7788, 5000))
    assert line._passes(packet(HOME, WORLD, 5000, 7788))
    assert line._passes(packet(WORLD, HOME, 7788, 5000))
    assert not line._passes(packet(WORLD, HOME, 7789, 5000))
    assert not line._passes(packet(WORLD, HOME, 7788, 5000, kind=6))
    assert Line({})._passes(packet(WORLD, HOME, 7789, 5000))


@pytest.mark.slow
def test_both_sides_work_in_namespaces_with_a_line_between() -> None:
    if not Path("/dev/net/tun").exists() or os.geteuid():
        pytest.skip("network namespaces need root and /dev/net/tun")
    try:
        times = measure(60.0, 1.0, 2.0, seconds=4.0)
    except BadInput as error:
        pytest.skip(f"no namespaces here: {error}")
    # The line's share is sure; a busy machine adds to it.
    assert times.age[0] > 29.0
    assert times.picture_age[0] > 29.0
    assert times.pictures > 5.0
    assert abs(times.clock_error) < 5.0
