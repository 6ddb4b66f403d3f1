"""What a user says of a person whose torques are estimated live."""

from __future__ import annotations

import argparse
from dataclasses import replace

from telexist.launch_scripts.shell import number
from telexist.teleop.settings import SessionSettings

__all__ = ["add_dynamics_arguments", "with_dynamics"]


def with_dynamics(
    settings: SessionSettings, args: argparse.Namespace
) -> SessionSettings:
    """Return the settings with what the arguments say of the person's dynamics."""
    said = {"mass": args.mass, "hands": args.hands or None, "seat": args.seat or None}
    changed = {name: value for name, value in said.items() if value is not None}
    return replace(settings, dynamics=replace(settings.dynamics, **changed))


def add_dynamics_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is to be known of the person."""
    add = parser.add_argument
    sensors = "forces under the feet: moticon, lsl:NAME, forces:simulated"
    add("--forces", metavar="DEVICE", help=sensors)
    add("--mass", type=number(5.0, 400.0), metavar="KG", help="of the person")
    add("--hands", action="store_true", help="something may hang in the hands")
    add("--seat", action="store_true", help="something may carry the pelvis")
