"""What may be chosen of a robot behind YARP: `--backend yarp:HOST:PORT?prefix=...`."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from urllib.parse import parse_qsl

from telexist.retarget.errors import BadInput, UnknownName
from telexist.robots.yarp.network import name_server_address

__all__ = ["YarpSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class YarpSettings:
    """Where the robot is, and how carefully it is moved.

    Attributes:
        host: Of the name server; "" takes what `yarp conf` says.
        port: Of the name server.
        prefix: Beginning of the robot's port names; "" takes "/" and the robot's name.
        parts: Boards to drive, with commas between; "" means all, and then every joint
            of the model must be on one.
        speed: Greatest speed of any joint [deg/s]; board and model may allow less.
        ramp: Greatest speed on the way from where the joints are [deg/s].
        first: Share of the speeds for the first motion after arming.
        ack: A board must acknowledge a reference within this, or nothing more is
            sent [s].
        others: "no" refuses a board that somebody else is connected to as a writer;
            "yes" allows it.
        hands: "yes" drives the fingers, too, by how far a hand is closed.
        eyes: "yes" drives the eyes, too: they look ahead.
        camera: "auto", "no", or the port of a camera, or of two with a comma between.
        pictures: Most pictures a second.
        fovy: Vertical field of view of the cameras [deg]; 0 where it is not known.
    """

    host: str = ""
    port: int = 10000
    prefix: str = ""
    parts: str = ""
    speed: float = 100.0
    ramp: float = 60.0
    first: float = 0.1
    ack: float = 0.05
    others: str = "no"
    hands: str = "no"
    eyes: str = "no"
    camera: str = "auto"
    pictures: float = 15.0
    fovy: float = 0.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name, low, high in (
            ("port", 1, 65535),
            ("speed", 0.1, 1000.0),
            ("ramp", 0.1, 60.0),
            ("first", 0.01, 1.0),
            ("ack", 0.005, 2.0),
            ("pictures", 0.1, 120.0),
            ("fovy", 0.0, 170.0),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise BadInput(f"yarp: {name} = {value} is not from {low} to {high}")
        for name in ("others", "hands", "eyes"):
            if getattr(self, name) not in ("yes", "no"):
                said = getattr(self, name)
                raise BadInput(f"yarp: {name} = {said} is neither yes nor no")
        if self.prefix and not self.prefix.startswith("/"):
            raise BadInput(f"yarp: prefix = {self.prefix} does not begin with /")

    @property
    def part_names(self) -> tuple[str, ...]:
        """The chosen parts; empty for all."""
        return tuple(part for part in self.parts.split(",") if part)

    @staticmethod
    def read(place: str) -> YarpSettings:
        """Return what "HOST:PORT?name=value&..." says; all of it may be left out.

        Raises:
            BadInput: If a name is unknown or a value is none.
        """
        address, _, options = place.partition("?")
        host, _, port = address.partition(":")
        values: dict[str, object] = {"host": host} if host else {}
        if port:
            values["port"] = _read("port", port, int)
        kinds = {field.name: field.type for field in fields(YarpSettings)}
        for name, text in parse_qsl(options, keep_blank_values=True):
            if name not in kinds:
                raise UnknownName("option of the yarp back end", name, kinds)
            kind = {"int": int, "float": float}.get(str(kinds[name]), str)
            values[name] = _read(name, text, kind)
        settings = YarpSettings(**values)  # type: ignore[arg-type]
        if settings.host:
            return settings
        usual, number = name_server_address()
        return replace(settings, host=usual, port=number)


def _read(name: str, text: str, kind: type) -> object:
    try:
        return kind(text)
    except ValueError as error:
        raise BadInput(f"yarp: {name} = '{text}' is no number") from error
