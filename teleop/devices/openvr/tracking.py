"""One look at all that SteamVR tracks: a raw frame of the person, hands and buttons."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from telexist.retarget.errors import BadFrame
from telexist.retarget.signals import HumanFrame
from telexist.robots.base import HandCommand
from telexist.teleop.devices.base import MAX_DISTANCE
from telexist.teleop.devices.openvr.axes import DevicePose, device_pose
from telexist.teleop.devices.openvr.buttons import ControllerButtons, grip, stick
from telexist.teleop.devices.openvr.roles import OpenVrRoles, TrackedDevice
from telexist.teleop.terms import Request

__all__ = ["Look", "OpenVrTracking"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What one look at SteamVR found.

    Attributes:
        human: The person; None if a device that is switched on is not tracked.
        hands: How far the grips are squeezed; None without controllers.
        sticks: Right and ahead, -1 to 1, of the sticks of "left" and "right".
        requests: What the buttons asked for.
        lost: Why there is no person: "untracked", "malformed"; "" if there is one.
        missing: Serial numbers of what is not tracked.
    """

    human: HumanFrame | None = None
    hands: HandCommand | None = None
    sticks: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    requests: tuple[Request, ...] = ()
    lost: str = ""
    missing: tuple[str, ...] = ()


class OpenVrTracking:
    """Asks SteamVR where everything is."""

    def __init__(
        self, openvr: Any, roles: OpenVrRoles, buttons: ControllerButtons
    ) -> None:
        """Take the library, whose `init` was called, and who is who."""
        self._openvr = openvr
        self._system = openvr.VRSystem()
        self._roles = roles
        self._buttons = buttons
        self._poses = (openvr.TrackedDevicePose_t * openvr.k_unMaxTrackedDeviceCount)()
        self._names: dict[int, tuple[str, str]] = {}

    def look(self, stamp: float, sequence: int) -> Look:
        """Return all that is tracked now; stamp and number are the frame's."""
        poses = self._system.getDeviceToAbsoluteTrackingPose(
            self._openvr.TrackingUniverseStanding, 0.0, self._poses
        )
        devices = [
            device
            for index in range(self._openvr.k_unMaxTrackedDeviceCount)
            if poses[index].bDeviceIsConnected
            and (device := self._device(index)) is not None
        ]
        said = self._controllers(devices)
        missing = tuple(d.serial for d in devices if not self._tracked(poses[d.index]))
        if missing or not any(device.kind == "head" for device in devices):
            return dataclasses.replace(said, lost="untracked", missing=missing)
        try:
            human = self._frame(devices, poses, stamp, sequence)
        except BadFrame:
            return dataclasses.replace(said, lost="malformed")
        return dataclasses.replace(said, human=human)

    def quitting(self) -> bool:
        """Whether SteamVR asks its programs to end."""
        event = self._openvr.VREvent_t()
        while self._system.pollNextEvent(event):
            if event.eventType == self._openvr.VREvent_Quit:
                return True
        return False

    def _tracked(self, pose: Any) -> bool:
        good = self._openvr.TrackingResult_Running_OK
        return bool(pose.bPoseIsValid) and pose.eTrackingResult == good

    def _device(self, index: int) -> TrackedDevice | None:
        """Describe a device; None for base stations and others that nobody wears."""
        vr, system = self._openvr, self._system
        what = system.getTrackedDeviceClass(index)
        if what == vr.TrackedDeviceClass_HMD:
            kind = "head"
        elif what == vr.TrackedDeviceClass_Controller:
            side = system.getControllerRoleForTrackedDeviceIndex(index)
            if side == vr.TrackedControllerRole_LeftHand:
                kind = "left"
            elif side == vr.TrackedControllerRole_RightHand:
                kind = "right"
            else:
                return None  # SteamVR knows the side after a moment
        elif what == vr.TrackedDeviceClass_GenericTracker:
            kind = "tracker"
        else:
            return None
        serial, role = self._name(index)
        return TrackedDevice(index=index, serial=serial, kind=kind, role=role)

    def _name(self, index: int) -> tuple[str, str]:
        """Return the serial number and the kind of a device, asked for only once."""
        if index not in self._names:
            ask = self._system.getStringTrackedDeviceProperty
            self._names[index] = (
                str(ask(index, self._openvr.Prop_SerialNumber_String)),
                str(ask(index, self._openvr.Prop_ControllerType_String)),
            )
        return self._names[index]

    def _controllers(self, devices: list[TrackedDevice]) -> Look:
        """Return what is held in the hands: grips, sticks and buttons."""
        squeezed: dict[str, float] = {}
        sticks: dict[str, tuple[float, float]] = {}
        requests: list[Request] = []
        for device in devices:
            if device.kind not in ("left", "right"):
                continue
            there, state = self._system.getControllerState(device.index)
            if there:
                squeezed[device.kind] = grip(state)
                sticks[device.kind] = stick(state)
                requests += self._buttons.pressed(device.kind, state)
        for side in {"left", "right"} - set(squeezed):
            self._buttons.forget(side)
        left, right = (squeezed.get(side, 0.0) for side in ("left", "right"))
        hands = HandCommand(left=left, right=right) if squeezed else None
        return Look(hands=hands, sticks=sticks, requests=tuple(requests))

    def _frame(
        self, devices: list[TrackedDevice], poses: Any, stamp: float, sequence: int
    ) -> HumanFrame:
        where = {device.index: device_pose(poses[device.index]) for device in devices}
        head = next(where[d.index] for d in devices if d.kind == "head")
        parts: dict[str, DevicePose] = {}
        for device in devices:
            pose = where[device.index]
            segment = self._roles.segment(device, pose, head)
            if segment is not None:
                parts.setdefault(segment, pose)
        frame = HumanFrame(
            stamp=stamp,
            sequence=sequence,
            segments=tuple(parts),
            rotations=np.array([pose.rotation for pose in parts.values()]),
            angular_velocities=np.array([p.angular_velocity for p in parts.values()]),
            positions=np.array([pose.position for pose in parts.values()]),
            linear_velocities=np.array([p.linear_velocity for p in parts.values()]),
        )
        frame.require_finite()
        if frame.positions is None or np.abs(frame.positions).max() > MAX_DISTANCE:
            raise BadFrame("a device is beyond a kilometre")
        return frame
