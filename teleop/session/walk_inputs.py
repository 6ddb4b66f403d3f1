"""Who says where to walk: devices, or the operator's own steps."""

from __future__ import annotations

from telexist.retarget.errors import BadInput
from telexist.teleop.devices.base import Device, make_device
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.terms import Provides

__all__ = ["OWN_STEPS", "follows_own_steps", "input_devices"]

OWN_STEPS = "own-steps"


def follows_own_steps(plan: SessionPlan) -> bool:
    """Return whether the robot walks where the operator walks."""
    return OWN_STEPS in plan.inputs


def input_devices(plan: SessionPlan) -> list[Device]:
    """Make the devices beside the source; nothing is opened yet.

    Raises:
        TelexistError: If one cannot be made.
        BadInput: If the operator's own steps are followed by nobody, or somebody else
            says where to walk, too.
    """
    devices = [make_device(t, plan.devices) for t in plan.inputs if t != OWN_STEPS]
    if not follows_own_steps(plan):
        return devices
    if "walk" not in plan.controller.split(","):
        raise BadInput(
            f"--walk-input {OWN_STEPS} is for --controller walk, not {plan.controller}"
        )
    walkers = [device.name for device in devices if Provides.WALK in device.provides]
    if walkers:
        raise BadInput(
            f"{OWN_STEPS} and {walkers[0]} both say where to walk: choose one, or "
            "limit the device to a part, as in joypad?only=requests"
        )
    return devices
