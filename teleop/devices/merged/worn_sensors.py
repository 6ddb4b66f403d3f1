"""What a person wears, from a TOML: which device, what is taken of it, and where to.

```toml
[[sensors]]
name = "suit"
device = "xsens"
gives = ["person"]

[[sensors]]
name = "left shoe"
device = "lsl:ShoeLeft?foot=left"
gives = ["left foot"]
tare = 1.0                            # [s] unloaded, at the beginning

[[sensors]]
name = "gloves"
device = "vmc:39540"
gives = ["LeftHand", "RightHand"]
rename = { LeftHand = "RightHand", RightHand = "LeftHand" }
```
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from telexist.retarget.config import load
from telexist.retarget.errors import BadConfig, BadInput, UnknownName
from telexist.retarget.segments import SEGMENTS

__all__ = ["FEET", "PERSON", "WornSensor", "WornSensors", "load_worn_sensors"]

PERSON = "person"
FEET = ("left foot", "right foot")
GIVES = (PERSON, *FEET, *SEGMENTS)


def _as_they_are() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class WornSensor:
    """One device and what is taken of it.

    Attributes:
        name: For people: "left shoe".
        device: As after --source: "xsens", "lsl:NAME?foot=left".
        gives: "person", "left foot", "right foot", or segments, whose turns replace
            those of the person's device.
        rename: The device's name of a segment to that of the person's model.
        tare: Seconds at the beginning in which the foot is unloaded; what is felt
            then is taken off [s].
        deadline: Silent for longer, nothing is known of it [s].
    """

    name: str
    device: str
    gives: tuple[str, ...]
    rename: Mapping[str, str] = field(default_factory=_as_they_are)
    tare: float = 0.0
    deadline: float = 0.2

    def __post_init__(self) -> None:
        """Check names and ranges.

        Raises:
            BadInput: If something is missing or out of range.
            UnknownName: If nothing gives such a thing.
        """
        if not self.name or not self.device or not self.gives:
            raise BadInput("a sensor needs a name, a device and what it gives")
        for thing in self.gives:
            if thing not in GIVES:
                raise UnknownName("thing that a sensor gives", thing, GIVES)
        for name in self.rename.values():
            if name not in SEGMENTS:
                raise UnknownName("segment", name, SEGMENTS)
        if not 0.0 <= self.tare <= 60.0:
            raise BadInput(f"{self.name}: tare = {self.tare}: 0 to 60 s")
        if not 0.02 <= self.deadline <= 10.0:
            raise BadInput(f"{self.name}: deadline = {self.deadline}: 0.02 to 10 s")


@dataclass(frozen=True, slots=True, kw_only=True)
class WornSensors:
    """All of them; each thing is given once."""

    sensors: tuple[WornSensor, ...]

    def __post_init__(self) -> None:
        """Check that they are told apart.

        Raises:
            BadInput: If two have one name, or give the same.
        """
        if not self.sensors:
            raise BadInput("no sensor is named: [[sensors]]")
        for what, names in (
            ("are called", [sensor.name for sensor in self.sensors]),
            ("give", [thing for sensor in self.sensors for thing in sensor.gives]),
        ):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise BadInput(f"two sensors {what} {', '.join(twice)}")


def load_worn_sensors(path: Path) -> WornSensors:
    """Read what a person wears.

    Raises:
        BadConfig: Naming the file, the key and what is allowed.
    """
    try:
        return load(WornSensors, path)
    except BadConfig:
        raise
    except BadInput as error:
        raise BadConfig(path, str(error)) from error
