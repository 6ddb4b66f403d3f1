"""The operator's side of a network on a terminal: `--robot remote:HOST`."""

from __future__ import annotations

import argparse
import signal
import sys
from types import FrameType

from telexist.launch_scripts.shell import INTERRUPTED, OK
from telexist.retarget.errors import BadInput, UsageError
from telexist.teleop.devices.base import make_device, parse_endpoint
from telexist.teleop.devices.remote import (
    PORT,
    OperatorSide,
    own_identity,
    pair_with,
)
from telexist.teleop.sinks import LineWriter

__all__ = ["REMOTE", "run_operator_side"]

REMOTE = "remote:"


def run_operator_side(args: argparse.Namespace) -> int:
    """Tell a robot elsewhere what devices here say, until interrupted.

    Raises:
        UsageError: If an argument is wrong, or the sides do not know each other yet.
    """
    try:
        found = parse_endpoint(args.robot.removeprefix(REMOTE), host="", port=PORT)
        devices = [make_device(args.source or "builtin")]
        devices += [make_device(text) for text in args.walk_input or ()]
        identity = own_identity("operator")
    except BadInput as error:
        raise UsageError(str(error)) from error
    if not found.host:
        raise UsageError("--robot remote:HOST[:PORT] of `telexist robot --listen`")
    place = (found.host, found.port)
    if args.pair:
        pair_with(identity, place, args.pair)
    if not identity.peers:
        raise UsageError(
            "no robot's side is known yet: `telexist robot --pair` shows a code there; "
            "give it here as --pair CODE"
        )
    out = LineWriter(sys.stdout, lost=lambda reason: side.stop())
    side = OperatorSide(identity, place, devices, out.put)
    ended: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        ended.append(number)
        side.stop()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    try:
        side.run()
    finally:
        out.close()
    if not ended:
        return OK
    return INTERRUPTED if ended[0] == signal.SIGINT else 128 + ended[0]
