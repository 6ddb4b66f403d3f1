"""What a live session consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from telexist.teleop.devices.base import DeviceOptions
from telexist.teleop.settings import SessionSettings

__all__ = ["SessionPlan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlan:
    """What a session consists of.

    Attributes:
        robot: Name or file of the robot.
        folders: Where the user keeps models.
        backend: How the robot is reached, as `robots/backends/table.py` reads it.
        source: What shows the operator, as `teleop/devices/base/table.py` reads it.
        inputs: Further devices: walking, hands, requests.
        controller: As `teleop/controllers/base/table.py` understands it; several with
            commas, of which the first leads.
        operator: Name or file of a profile; "" for none.
        record: Folder for the recording, or None.
        page: Whether to serve the page.
        host: Address of the page.
        port: Port of the page; 0 takes any.
        dynamics: Whether to estimate the operator's torques.
        camera: Whether to render the robot's camera.
        engage: Whether to engage once by itself, and to calibrate if need be.
        end: Whether to end with a recording that is played once; if not, hold.
        duration: When to end, with the robot at rest [s].
        devices: Options of devices.
        settings: Everything else.
    """

    robot: str = "icub"
    folders: tuple[str | Path, ...] = ()
    backend: str = "mujoco"
    source: str = "builtin"
    inputs: tuple[str, ...] = ()
    controller: str = "servo"
    operator: str = ""
    record: Path | None = None
    page: bool = False
    host: str = "127.0.0.1"
    port: int = 8080
    dynamics: bool = False
    camera: bool = False
    engage: bool = False
    end: bool = False
    duration: float = float("inf")
    devices: DeviceOptions = field(default_factory=DeviceOptions)
    settings: SessionSettings = field(default_factory=SessionSettings)
