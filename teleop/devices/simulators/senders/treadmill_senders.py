"""Treadmills for `telexist simulate`: what each make sends, and when.

The person stands, walks ahead, turns half round, walks to the left, and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from telexist.retarget.errors import BadInput
from telexist.teleop.devices.simulators.senders.options import (
    SimulatorOptions,
    TimedPackets,
)
from telexist.teleop.devices.simulators.senders.settings import read_settings
from telexist.teleop.devices.simulators.senders.treadmill_bytes import (
    cyberith_datagram,
    kat_frames,
    omni_frame,
    walker,
)
from telexist.teleop.terms import Treadmill

__all__ = ["simulate_cyberith", "simulate_kat", "simulate_omni"]

_RATE = 50.0  # [Hz], unless the user chooses another
_MAX_RATE = 1000.0  # [Hz]


def simulate_cyberith(options: SimulatorOptions) -> Iterator[TimedPackets]:
    """Send what the Virtualizer's Windows computer sends: JSON datagrams.

    Raises:
        BadInput: If an option is wrong.
    """
    return _packets(options, cyberith_datagram)


def simulate_kat(options: SimulatorOptions) -> Iterator[TimedPackets]:
    """Send what the receiver of a KAT Walk C2+ sends: 32-byte frames.

    Raises:
        BadInput: If an option is wrong.
    """
    return _packets(options, lambda _, sample: kat_frames(sample))


def simulate_omni(options: SimulatorOptions) -> Iterator[TimedPackets]:
    """Send what a Virtuix Omni sends on its serial port.

    Raises:
        BadInput: If an option is wrong.
    """
    return _packets(options, omni_frame)


def _packets(
    options: SimulatorOptions, encode: Callable[[int, Treadmill], bytes]
) -> Iterator[TimedPackets]:
    read_settings(options.settings, {})
    rate = _RATE if options.rate is None else options.rate
    if not 0.0 < rate <= _MAX_RATE:
        raise BadInput(f"a rate must lie between 0 and {_MAX_RATE:g} Hz, not {rate}")
    return (
        TimedPackets(time=k / rate, packets=(encode(k, walker(k / rate)),))
        for k in count()
    )
