"""What a user may state about a recording, instead of having it found.

```toml
# walk.toml, beside walk.bvh: every line is optional
unit = 0.01                 # metres per unit of the file
up = "y"                    # axis that points up: x, y, z, -x, -y, -z
heading = "auto"            # auto: from the origin towards +x; keep: as in the file
heading_deg = 90.0          # or: turn the whole clip to the left by this much
neutral = "auto"            # auto, rest (the rest skeleton) or frame (neutral_frame)
neutral_frame = 0           # counted from 0 in the file
start = 0.5                 # [s]
end = 3.0                   # [s]
skip_first_frames = 1
floor = 0.0                 # height of the floor in the file, along up [m]
rate = 120.0                # frames per second

static = "standing.c3d"     # markers: a standing trial of the same person, beside it
take = "Walk"               # FBX, glTF, VRM: which one, where there are several
body_model = "SMPLX_NEUTRAL.npz"  # SMPL: your model file, or a folder; OpenSim: .osim

[joints]                    # segment = "joint in the file"
LeftUpperArm = "Bip01 L UpperArm"

[markers]                   # place on the body = "marker in the file" (C3D, TRC)
LeftAsis = "pelvis 3"
```
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from telexist.retarget import config
from telexist.retarget.errors import BadConfig, BadInput
from telexist.retarget.segments import SEGMENTS

__all__ = ["AXES", "ReadOptions", "load_options"]

AXES = ("x", "y", "z", "-x", "-y", "-z")
_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "up": AXES,
        "heading": ("auto", "keep"),
        "neutral": ("auto", "rest", "frame"),
    }
)
_RANGES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "unit": (1e-6, 1e3),  # [m]
        "rate": (1.0, 2000.0),  # [Hz]
        "start": (0.0, 1e6),  # [s]
        "end": (0.0, 1e6),  # [s]
        "skip_first_frames": (0, 1e9),
        "neutral_frame": (0, 1e9),
        "floor": (-1e6, 1e6),  # [m]
        "heading_deg": (-3600.0, 3600.0),  # [deg]
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Facts about a recording that the reader must not guess; see the module.

    Attributes:
        unit: Length of one unit of the file [m].
        up: Axis of the file that points up.
        heading: "auto" turns the performer to face +x at the first frame.
        heading_deg: Turn of the whole clip about the vertical instead [deg].
        neutral: Where the neutral pose comes from.
        neutral_frame: Frame of the file for `neutral = "frame"`, from 0.
        start: First time kept [s].
        end: Last time kept [s].
        skip_first_frames: Frames dropped at the beginning.
        floor: Height of the floor in the file along `up` [m].
        rate: Frames per second [Hz].
        joints: Segment name to joint name.
        body_model: Model file of SMPL, SMPL+H or SMPL-X, or a folder of such files; or
            the `.osim` of OpenSim's coordinates. Seen from the recording's folder.
        take: Name of the animation, in files that may have several.
        static: A standing trial of the same markers, seen from the recording's folder.
        markers: Place on the body to marker name.
    """

    unit: float | None = None
    up: str | None = None
    heading: str = "auto"
    heading_deg: float | None = None
    neutral: str = "auto"
    neutral_frame: int | None = None
    start: float | None = None
    end: float | None = None
    skip_first_frames: int | None = None
    floor: float | None = None
    rate: float | None = None
    joints: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    take: str | None = None
    static: str | None = None
    body_model: str | None = None
    markers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        """Check words, ranges and segment names.

        Raises:
            BadInput: Naming the field and what is allowed.
        """
        for name, words in _WORDS.items():
            value = getattr(self, name)
            if value is not None and value not in words:
                raise BadInput(f"{name} = {value!r}: allowed: {', '.join(words)}")
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise BadInput(f"{name} = {value}: allowed: {low:g} to {high:g}")
        if (self.neutral == "frame") != (self.neutral_frame is not None):
            raise BadInput('neutral = "frame" and neutral_frame = k belong together')
        if self.start is not None and self.end is not None and self.start >= self.end:
            raise BadInput(f"start = {self.start} s is not before end = {self.end} s")
        for segment in self.joints:
            if segment not in SEGMENTS:
                known = ", ".join(SEGMENTS)
                raise BadInput(f"joints.{segment}: no such segment; known: {known}")

    def stated(self) -> dict[str, Any]:
        """Return the fields that differ from the defaults."""
        blank = ReadOptions()
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if getattr(self, f.name) != getattr(blank, f.name)
        }


def load_options(path: Path) -> ReadOptions:
    """Read the options from a TOML file.

    Raises:
        BadConfig: Naming the file, the key and what is allowed there.
    """
    try:
        return config.load(ReadOptions, path)
    except BadConfig:
        raise
    except BadInput as error:
        raise BadConfig(path, str(error)) from error
