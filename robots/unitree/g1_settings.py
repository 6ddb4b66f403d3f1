"""What may be chosen of a G1: `--backend unitree:HOST:PORT?speed=30`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from urllib.parse import parse_qsl

from telexist.retarget.errors import BadInput, UnknownName
from telexist.robots.unitree.bridge_link import BridgeLink
from telexist.robots.unitree.dds_link import DdsLink
from telexist.robots.unitree.g1_link import G1Link

__all__ = ["G1Settings"]

DDS = "dds"


@dataclass(frozen=True, slots=True, kw_only=True)
class G1Settings:
    """Where the robot is, and how carefully it is moved.

    Attributes:
        host: Of the ZMQ bridge; "dds" for DDS.
        port: Of the bridge.
        speed: Greatest speed of any joint [deg/s]; the model may allow less.
        ramp: Greatest speed on the way from where the joints are [deg/s].
        first: Share of the speed for the first motion after arming.
        arms: "yes" moves the arms alone, beside the robot's own controller.
        interface: Of the network, for DDS: that of the robot's cable.
        domain: Of DDS.
        rate: Commands per second [Hz].
    """

    host: str = "127.0.0.1"
    port: int = 6000
    speed: float = 100.0
    ramp: float = 60.0
    first: float = 0.1
    arms: str = "no"
    interface: str = "lo"
    domain: int = 0
    rate: float = 250.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name, low, high in (
            ("port", 1, 65534),
            ("speed", 0.1, 500.0),
            ("ramp", 0.1, 60.0),
            ("first", 0.01, 1.0),
            ("domain", 0, 230),
            ("rate", 50.0, 1000.0),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise BadInput(f"unitree: {name} = {value} is not from {low} to {high}")
        if self.arms not in ("yes", "no"):
            raise BadInput(f"unitree: arms = {self.arms} is neither yes nor no")
        if not self.interface.replace("-", "").replace(".", "").isalnum():
            raise BadInput(f"unitree: '{self.interface}' is no network interface")

    @staticmethod
    def read(place: str) -> G1Settings:
        """Return what "HOST:PORT?name=value&..." says; all of it may be left out.

        Raises:
            BadInput: If a name is unknown or a value is none.
        """
        address, _, options = place.partition("?")
        host, _, port = address.partition(":")
        values: dict[str, object] = {"host": host} if host else {}
        if port:
            values["port"] = _read("port", port, int)
        kinds = {field.name: field.type for field in fields(G1Settings)}
        for name, text in parse_qsl(options, keep_blank_values=True):
            if name not in kinds:
                raise UnknownName("option of the unitree back end", name, kinds)
            kind = {"int": int, "float": float}.get(str(kinds[name]), str)
            values[name] = _read(name, text, kind)
        return G1Settings(**values)  # type: ignore[arg-type]

    def link(self) -> G1Link:
        """Return the way to the robot; nothing is opened yet."""
        if self.host == DDS:
            return DdsLink(
                interface=self.interface, domain=self.domain, arms=self.arms == "yes"
            )
        return BridgeLink(self.host, self.port)


def _read(name: str, text: str, kind: type) -> object:
    try:
        return kind(text)
    except ValueError as error:
        raise BadInput(f"unitree: {name} = '{text}' is no number") from error
