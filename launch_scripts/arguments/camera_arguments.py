"""What a user says of the robot's camera: `--camera 640x480@30,stereo`."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace

from telexist.retarget.errors import BadInput, UsageError
from telexist.robots.base import CameraWishes
from telexist.teleop.settings import SessionSettings

__all__ = ["add_camera_argument", "with_camera"]

FORM = re.compile(r"(?:(\d{1,5})x(\d{1,5}))?(?:@(\d{1,4}(?:\.\d+)?))?")


def with_camera(settings: SessionSettings, said: str | None) -> SessionSettings:
    """Return the settings with what `--camera` says.

    Raises:
        UsageError: If it cannot be understood.
    """
    if not said:
        return settings
    words = said.split(",")
    stereo = words[-1] == "stereo"
    size = ",".join(words[:-1] if stereo else words)
    found = FORM.fullmatch(size)
    if found is None:
        raise UsageError(f"--camera {said}: write 640x480@30 or 640x480@30,stereo")
    width, height, rate = found.groups()
    camera: CameraWishes = settings.camera
    try:
        camera = replace(
            camera,
            width=int(width or camera.width),
            height=int(height or camera.height),
            rate=float(rate or camera.rate),
            stereo=stereo or camera.stereo,
        )
    except BadInput as error:
        raise UsageError(f"--camera {said}: {error}") from error
    return replace(settings, camera=camera)


def add_camera_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument."""
    parser.add_argument(
        "--camera",
        nargs="?",
        const="",
        metavar="WxH@HZ,stereo",
        help="render the robot's camera without a page too; its size, rate and eyes",
    )
