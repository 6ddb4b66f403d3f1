"""Measure an operator who stands still, and keep the result as a profile.

SOURCE is what `telexist teleoperate` understands: xsens, vmc:39539, openvr, ... Stand
in N-pose (upright, arms down, palms in, looking ahead) or in T-pose (--pose t: arms
sideways, palms down) until the countdown and the capture are over. Recordings need no
calibration. A profile belongs to one kind of source; an older one of the same name is
kept beside it: anna-1, anna-2, ...

Examples:
  telexist calibrate --source xsens --operator anna
  telexist calibrate --source vmc --operator anna --pose t --countdown 10
  telexist calibrate --source openvr --operator profiles/anna.toml --height 1.68
  telexist teleoperate --source xsens --operator anna
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from telexist.calibration import POSES, Capture, profile_path, replace_profile
from telexist.launch_scripts.shell import FAILED, OK, Parser, number
from telexist.launch_scripts.terminal import CaptureShown, print_profile
from telexist.retarget.errors import BadInput, UsageError
from telexist.teleop.devices.base import Device, make_device
from telexist.teleop.session import run_capture, source_traits

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Calibrate an operator and return the exit code."""
    parser = Parser("telexist calibrate", __doc__ or "")
    _add_arguments(parser)
    args = parser.parse_args(argv)
    try:
        path = profile_path(args.operator)
        device = make_device(args.source)
        capture = _capture(args, device)
    except BadInput as error:
        raise UsageError(str(error)) from error
    if manual := device.manual:
        print(f"{device.name}: {manual}", flush=True)
    with CaptureShown(args.pose) as shown:
        status = run_capture(device, capture, shown.show)
    if status.profile is None:
        for reason in status.reasons:
            print(f"telexist: refused: {reason}", file=sys.stderr)
        return FAILED
    older = replace_profile(status.profile, path)
    print_profile(status.profile, path)
    if older is not None:
        print(f"the older profile is kept: {older}")
    use = f"telexist teleoperate --source {args.source} --operator {args.operator}"
    print(f"use it: {use}")
    return OK


def _capture(args: argparse.Namespace, device: Device) -> Capture:
    if device.traits.operator is not None:
        raise UsageError(
            f"{device.name} is calibrated already: "
            f"telexist teleoperate --source {args.source}"
        )
    return Capture(
        pose=args.pose,
        countdown=args.countdown,
        duration=args.duration,
        operator=args.operator,
        source=args.source,
        traits=source_traits(device),
        height=args.height,
    )


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--source", required=True, help="the device: xsens, vmc, openvr, ...")
    add("--operator", required=True, metavar="NAME", help="or a file: anna.toml")
    add("--pose", choices=POSES, default="n", help="default: n")
    add("--countdown", type=number(0.0, 60.0), default=3.0, metavar="S")
    add("--duration", type=number(0.5, 60.0), default=2.0, metavar="S")
    add("--height", type=number(0.5, 3.0), metavar="M", help="of the operator")
