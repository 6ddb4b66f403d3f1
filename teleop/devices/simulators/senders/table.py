"""The simulators, by name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import cast

from telexist.retarget.errors import BadInput, UnknownName
from telexist.teleop.devices.simulators.faults import FaultPlan
from telexist.teleop.devices.simulators.senders.options import Simulator

__all__ = [
    "INSIDE",
    "SIMULATORS",
    "SimulatorEntry",
    "load_simulator",
    "require_meaning",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatorEntry:
    """One simulator.

    Attributes:
        target: "module:function" of a `Simulator`.
        to: Where it sends, unless told otherwise: HOST:PORT; "" on a cable.
        protocols: How it can send, the usual first.
        never: Faults that mean nothing there; name to the reason.
    """

    target: str
    to: str
    protocols: tuple[str, ...] = ("udp",)
    never: Mapping[str, str] = field(default_factory=dict)


SIMULATORS: Mapping[str, SimulatorEntry] = MappingProxyType(
    {
        "cyberith": SimulatorEntry(
            target="telexist.teleop.devices.simulators.senders.treadmill_senders:simulate_cyberith",
            to="127.0.0.1:9770",
        ),
        "isaac": SimulatorEntry(
            target="telexist.teleop.devices.simulators.senders.body24_senders:simulate_isaac",
            to="127.0.0.1:9764",
        ),
        "kat": SimulatorEntry(
            target="telexist.teleop.devices.simulators.senders.treadmill_senders:simulate_kat",
            to="",
            protocols=("cable",),
            never={"nan": "its frames hold whole numbers, which are never NaN"},
        ),
        "moticon": SimulatorEntry(
            target="telexist.teleop.devices.simulators.senders.force_senders:simulate_moticon",
            to="127.0.0.1:8888",
            never={
                "nan": "the plan spoils MVN, VMC and treadmills only",
                "jump": "the plan spoils MVN, VMC and treadmills only",
            },
        ),
        "omni": SimulatorEntry(
            target="telexist.teleop.devices.simulators.senders.treadmill_senders:simulate_omni",
            to="",
            protocols=("cable",),
        ),
        "optitrack": SimulatorEntry(
            target="telexist.teleop.devices.simulators.senders.studio_senders:simulate_optitrack",
            to="127.0.0.1:1510",
            protocols=("unicast", "multicast"),
        ),
        "pico": SimulatorEntry(
            target="telexist.teleop.devices.simulators.senders.body24_senders:simulate_pico",
            to="127.0.0.1:63901",
            protocols=("tcp",),
        ),
        "rokoko": SimulatorEntry(
            target="telexist.teleop.devices.simulators.senders.studio_senders:simulate_rokoko",
            to="127.0.0.1:14043",
        ),
        "vmc": SimulatorEntry(
            target="telexist.teleop.devices.simulators.senders.vmc_sender:simulate_vmc",
            to="127.0.0.1:39539",
        ),
        "xsens": SimulatorEntry(
            target="telexist.teleop.devices.simulators.senders.mvn_sender:simulate_xsens",
            to="127.0.0.1:9763",
            protocols=("udp", "tcp"),
        ),
    }
)
"""Name to simulator, imported only when asked for."""


INSIDE: Mapping[str, str] = MappingProxyType(
    {"joypad": "--walk-input joypad:simulated", "openvr": "--source openvr:simulated"}
)
"""Devices that only the program that reads them can simulate, and how to ask it to."""


def require_meaning(name: str, plan: FaultPlan) -> None:
    """Refuse faults that a simulator's packets cannot have.

    Raises:
        BadInput: Naming the fault and the reason.
    """
    for fault, reason in SIMULATORS[name].never.items():
        if getattr(plan, fault) > 0.0:
            raise BadInput(f"fault {fault}: {name} cannot have it: {reason}")


def load_simulator(name: str) -> Simulator:
    """Return the function of a simulator.

    Raises:
        UnknownName: If there is none of that name.
        BadInput: If it must be simulated by the session itself.
    """
    if name in INSIDE:
        ask = f"telexist teleoperate {INSIDE[name]}"
        raise BadInput(f"{name} is simulated within the session: {ask}")
    if name not in SIMULATORS:
        raise UnknownName("simulator", name, SIMULATORS)
    module, _, function = SIMULATORS[name].target.partition(":")
    return cast(Simulator, getattr(importlib.import_module(module), function))
