"""SteamVR without a headset: an object that looks like the module `openvr`.

Structures and numbers are the library's own; only what the headset's reader asks for is
there. Devices stand where `place` puts them.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.devices.openvr.library import import_openvr

__all__ = ["BASE", "HEAD", "LEFT", "RIGHT", "SimulatedSteamVr"]

HEAD, LEFT, RIGHT = 0, 1, 2  # SteamVR's numbers of headset and controllers
BASE = 5  # a base station, once it is placed
MOST = 64  # devices
_THEIRS_R_OURS = np.array([[0, -1, 0], [0, 0, 1], [-1, 0, 0]], dtype=np.float64)
_ZERO = np.zeros(3)


class SimulatedSteamVr:
    """A runtime with a headset and two controllers; more by `place`.

    Attributes:
        installed: What `isRuntimeInstalled` says.
        present: What `isHmdPresent` says.
        trouble: Raised by `init` and by every look, if set.
        quit: Set to make SteamVR ask its programs to end.
        poses: Of all devices, SteamVR's structures.
        states: Of the controllers, by number.
        types: Of trackers, by number: "vive_tracker_waist".
        shown: Pictures in front of the eyes: width, height, bytes a pixel, bytes.
        overlay_calls: Names of the overlay's functions that were called.
        shut: How often it was shut down.
    """

    def __init__(self) -> None:
        """Switch headset and controllers on.

        Raises:
            MissingDependency: If the library `openvr` is not installed.
        """
        self._openvr: ModuleType = import_openvr()
        vr: Any = self._openvr
        self.installed = self.present = True
        self.started = self.shut = 0
        self.trouble: Exception | None = None
        self.quit = False
        self.shown: list[tuple[int, int, int, bytes]] = []
        self.overlay_calls: list[str] = []
        self.poses = (vr.TrackedDevicePose_t * MOST)()
        self.states: dict[int, Any] = {
            side: vr.VRControllerState_t() for side in (LEFT, RIGHT)
        }
        self.types: dict[int, str] = {}
        self.place(HEAD, (0.0, 0.0, 1.7))
        self.place(LEFT, (0.0, 0.3, 0.8))
        self.place(RIGHT, (0.0, -0.3, 0.8))

    def __getattr__(self, name: str) -> Any:
        """Return what the library itself has of that name."""
        return getattr(self.__dict__["_openvr"], name)

    def place(
        self,
        index: int,
        position: tuple[float, float, float] | Array,
        rotation: Array | None = None,
        *,
        velocity: Array = _ZERO,
        angular_velocity: Array = _ZERO,
    ) -> None:
        """Put a device somewhere, all in our axes [m], [m/s], [rad/s]."""
        C = _THEIRS_R_OURS
        matrix = C @ (np.eye(3) if rotation is None else rotation) @ C.T
        pose = self.poses[index]
        where, v, w = C @ np.asarray(position), C @ velocity, C @ angular_velocity
        for i in range(3):
            for j in range(3):
                pose.mDeviceToAbsoluteTracking.m[i][j] = matrix[i, j]
            pose.mDeviceToAbsoluteTracking.m[i][3] = where[i]
            pose.vVelocity.v[i], pose.vAngularVelocity.v[i] = v[i], w[i]
        pose.bDeviceIsConnected = pose.bPoseIsValid = 1
        pose.eTrackingResult = self._openvr.TrackingResult_Running_OK

    def press(self, side: int, *bits: int) -> None:
        """Hold these buttons of a controller, and no others."""
        self.states[side].ulButtonPressed = sum(1 << bit for bit in bits)

    # What the module does; the names are the library's.

    def isRuntimeInstalled(self) -> bool:  # noqa: N802
        """Return whether SteamVR is there."""
        return self.installed

    def isHmdPresent(self) -> bool:  # noqa: N802
        """Return whether a headset is there."""
        return self.present

    def init(self, kind: int) -> None:
        """Start."""
        if self.trouble is not None:
            raise self.trouble
        self.started += 1

    def shutdown(self) -> None:
        """End."""
        self.shut += 1

    def VRSystem(self) -> SimulatedSteamVr:  # noqa: N802
        """Return what answers for IVRSystem."""
        return self

    def VROverlay(self) -> SimulatedOverlay:  # noqa: N802
        """Return what answers for IVROverlay."""
        return SimulatedOverlay(self)

    # What IVRSystem does.

    def getDeviceToAbsoluteTrackingPose(  # noqa: N802
        self, origin: int, seconds: float, poses: Any
    ) -> Any:
        """Return where all devices are."""
        if self.trouble is not None:
            raise self.trouble
        return self.poses

    def getTrackedDeviceClass(self, index: int) -> int:  # noqa: N802
        """Return what a device is."""
        vr: Any = self._openvr
        kinds = {
            HEAD: vr.TrackedDeviceClass_HMD,
            LEFT: vr.TrackedDeviceClass_Controller,
            RIGHT: vr.TrackedDeviceClass_Controller,
            BASE: vr.TrackedDeviceClass_TrackingReference,
        }
        return int(kinds.get(index, vr.TrackedDeviceClass_GenericTracker))

    def getControllerRoleForTrackedDeviceIndex(self, index: int) -> int:  # noqa: N802
        """Return the hand that holds a controller."""
        vr: Any = self._openvr
        roles = {
            LEFT: vr.TrackedControllerRole_LeftHand,
            RIGHT: vr.TrackedControllerRole_RightHand,
        }
        return int(roles.get(index, vr.TrackedControllerRole_Invalid))

    def getStringTrackedDeviceProperty(self, index: int, prop: int) -> str:  # noqa: N802
        """Return a device's serial number or type."""
        if prop == self._openvr.Prop_SerialNumber_String:
            return f"LHR-{index}"
        return self.types.get(index, "")

    def getControllerState(self, index: int) -> tuple[int, Any]:  # noqa: N802
        """Return a controller's buttons and axes."""
        return 1, self.states[index]

    def pollNextEvent(self, event: Any) -> bool:  # noqa: N802
        """Return whether there is news, and fill it in."""
        if not self.quit:
            return False
        self.quit = False
        event.eventType = self._openvr.VREvent_Quit
        return True


class SimulatedOverlay:
    """Looks like IVROverlay; keeps the pictures."""

    def __init__(self, steam: SimulatedSteamVr) -> None:
        """Belong to a runtime."""
        self._steam = steam

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Return a function that is only noted."""
        return lambda *_: self._steam.overlay_calls.append(name)

    def createOverlay(self, key: str, name: str) -> int:  # noqa: N802
        """Return the number of a new picture."""
        self._steam.overlay_calls.append("createOverlay")
        return 99

    def setOverlayRaw(  # noqa: N802
        self, handle: int, buffer: Any, width: int, height: int, depth: int
    ) -> None:
        """Show a picture."""
        self._steam.shown.append((width, height, depth, bytes(buffer)))
