"""Files of a person whose motion is known: markers on the built-in motion."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.recordings import read_clip
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array

SIDES = (("L", "Left", 1.0), ("R", "Right", -1.0))


def places(clip: HumanClip) -> dict[str, tuple[str, Array]]:
    """Return marker name to (segment, place in its axes) of a full Plug-in-like set."""
    size, out = clip.size, {}
    hips = size.joints["LeftUpperLeg"] - size.joints["Pelvis"]
    h = size.height
    for s, side, left in SIDES:
        # such that Harrington's regression gives the hip joint back
        breadth = (abs(hips[1]) - 0.0073) / 0.33
        depth = 0.09 * h
        ahead = 0.24 * depth + 0.0099
        above = 0.30 * breadth + 0.0109
        out[f"{s}ASI"] = (
            "Pelvis",
            hips * [1, 0, 1] + [ahead, left * breadth / 2, above],
        )
        out[f"{s}PSI"] = (
            "Pelvis",
            hips * [1, 0, 1] + [ahead - depth, left * 0.03, above],
        )
        for name, segment, end, half in (
            ("KNE", "UpperLeg", "LowerLeg", 0.05),
            ("ANK", "LowerLeg", "Foot", 0.035),
            ("ELB", "UpperArm", "ForeArm", 0.04),
        ):
            joint = size.joints[f"{side}{end}"] - size.joints[f"{side}{segment}"]
            out[f"{s}{name}"] = (f"{side}{segment}", joint + [0, left * half, 0])
            out[f"{s}{name[:2]}M"] = (f"{side}{segment}", joint - [0, left * half, 0])
        out[f"{s}KNM"] = out.pop(f"{s}KNM")
        out[f"{s}ANM"] = out.pop(f"{s}ANM")
        out[f"{s}ELM"] = out.pop(f"{s}ELM")
        out[f"{s}TH1"] = (f"{side}UpperLeg", np.array([0.06, 0.03 * left, -0.15]))
        out[f"{s}TH2"] = (f"{side}UpperLeg", np.array([-0.02, 0.07 * left, -0.25]))
        out[f"{s}TB1"] = (f"{side}LowerLeg", np.array([0.05, 0.02 * left, -0.12]))
        out[f"{s}TB2"] = (f"{side}LowerLeg", np.array([-0.02, 0.05 * left, -0.22]))
        foot = size.joints[f"{side}Foot"]
        heel = size.tips[f"{side}Heel"] - foot + [0.01, 0.0, 0.03]
        ball = size.joints[f"{side}Toe"] - foot
        out[f"{s}HEE"] = (f"{side}Foot", heel)
        out[f"{s}TOE"] = (f"{side}Foot", ball + [0, 0, 0.03])
        out[f"{s}MT5"] = (f"{side}Foot", ball + [-0.02, 0.04 * left, 0.0])
        out[f"{s}MT1"] = (f"{side}Foot", ball + [0.02, -0.04 * left, 0.0])
        shoulder = size.joints[f"{side}UpperArm"] - size.joints["T8"]
        drop = 0.17 * 2.0 * abs(shoulder[1])
        collar = size.joints[f"{side}UpperArm"] - size.joints[f"{side}Shoulder"]
        out[f"{s}SHO"] = (f"{side}Shoulder", collar + [0, 0, drop])
        out[f"{s}UPA"] = (f"{side}UpperArm", np.array([0.03, 0.05 * left, -0.15]))
        wrist = size.joints[f"{side}Hand"] - size.joints[f"{side}ForeArm"]
        out[f"{s}WRA"] = (f"{side}ForeArm", wrist + [0.03, 0, 0])
        out[f"{s}WRB"] = (f"{side}ForeArm", wrist - [0.03, 0, 0])
        out[f"{s}FRM"] = (f"{side}ForeArm", np.array([0.0, 0.05 * left, -0.12]))
        out[f"{s}FIN"] = (f"{side}Hand", np.array([0.0, 0.0, -0.09]))
        out[f"{s}FHD"] = ("Head", np.array([0.09, 0.06 * left, 0.10]))
        out[f"{s}BHD"] = ("Head", np.array([-0.09, 0.06 * left, 0.10]))
    neck = size.joints["Neck"] - size.joints["T8"]
    out["C7"] = ("T8", neck + [-0.05, 0, 0])
    out["CLAV"] = ("T8", neck + [0.1, 0, 0])
    out["STRN"] = ("T8", np.array([0.12, 0.0, -0.05]))
    out["T10"] = ("T8", np.array([-0.08, 0.0, -0.06]))
    return out


def markers_on(clip: HumanClip, frames: slice) -> tuple[tuple[str, ...], Array]:
    """Return names and paths (t, m, 3) [m] of all markers."""
    names, paths = [], []
    for name, (segment, place) in places(clip).items():
        k = SEGMENT_INDEX[segment]
        names.append(name)
        paths.append(
            clip.positions[frames, k] + clip.rotations[frames, k] @ np.asarray(place)
        )
    return tuple(names), np.stack(paths, axis=1)


@pytest.fixture(scope="session")
def person() -> HumanClip:
    return read_clip("builtin")


def write_trc(
    path: Path, names: tuple[str, ...], points: Array, rate: float, unit: str = "mm"
) -> Path:
    """Write y up, as OpenSim does."""
    scale = {"mm": 1000.0, "m": 1.0}[unit]
    turned = scale * points[..., [0, 2, 1]] * [1.0, 1.0, -1.0]
    count = len(turned)
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{path.name}",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate",
        f"{rate}\t{rate}\t{count}\t{len(names)}\t{unit}\t{rate}",
        "Frame#\tTime\t" + "\t\t\t".join(names),
        "\t\t" + "\t".join(f"{a}{k + 1}" for k in range(len(names)) for a in "XYZ"),
        "",
    ]
    for k, frame in enumerate(turned):
        values = ["" if np.isnan(x) else f"{x:.6f}" for x in frame.ravel()]
        lines.append("\t".join([str(k + 1), f"{k / rate:.6f}", *values]))
    path.write_text("\n".join(lines) + "\n")
    return path


def dec_bytes(values: np.ndarray) -> bytes:
    bits = (4.0 * values).astype("<f4").view("<u4")
    halves = np.stack([bits >> 16, bits & 0xFFFF], axis=-1).astype("<u2")
    return halves.tobytes()


def write_c3d(
    path: Path,
    names: tuple[str, ...],
    points: Array,
    rate: float,
    *,
    processor: int = 84,
    integers: bool = False,
    units: str = "mm",
    plates: Mapping[str, np.ndarray] | None = None,
    samples: int = 1,
    channels: Array | None = None,
) -> Path:
    """Write a C3D file of markers in metres, z up, with force channels if given."""
    order = {84: "<", 85: "<", 86: ">"}[processor]

    def floats(values: object) -> bytes:
        array = np.asarray(values, dtype=np.float64).ravel()
        return (
            dec_bytes(array)
            if processor == 85
            else array.astype(f"{order}f4").tobytes()
        )

    def words(values: object) -> bytes:
        return np.asarray(values).astype(f"{order}i2").tobytes()

    def parameter(
        group: int, name: str, kind: int, shape: tuple[int, ...], data: bytes
    ) -> bytes:
        body = struct.pack("bB", kind, len(shape)) + bytes(shape) + data + b"\0"
        head = struct.pack("bb", len(name), group) + name.encode()
        return head + struct.pack(f"{order}h", len(body) + 2) + body

    def group(number: int, name: str) -> bytes:
        return (
            struct.pack("bb", len(name), -number)
            + name.encode()
            + struct.pack(f"{order}h", 3)
            + b"\0"
        )

    count, m = points.shape[:2]
    per_frame = 0 if channels is None else channels.shape[1] * samples
    scale = 0.1 if integers else -1.0
    text = "".join(name.ljust(8) for name in names).encode()
    section = group(1, "POINT")
    section += parameter(1, "UNITS", -1, (4,), units.ljust(4).encode())
    section += parameter(1, "LABELS", -1, (8, m), text)
    section += parameter(1, "RATE", 4, (), floats([rate]))
    section += parameter(1, "SCALE", 4, (), floats([scale]))
    section += group(2, "ANALOG")
    if channels is not None:
        c = channels.shape[1]
        section += parameter(2, "SCALE", 4, (c,), floats(np.ones(c)))
        section += parameter(2, "GEN_SCALE", 4, (), floats([1.0]))
        section += parameter(2, "OFFSET", 2, (c,), words(np.zeros(c)))
        unit = ("N   " * 3 + "Nmm " * 3) * (c // 6)
        section += parameter(2, "UNITS", -1, (4, c), unit.encode())
    if plates is not None:
        section += group(3, "FORCE_PLATFORM")
        section += parameter(3, "USED", 2, (), words([plates["CHANNEL"].shape[1]]))
        for name, values in plates.items():
            kind = 2 if name in ("TYPE", "CHANNEL") else 4
            data = values.ravel(order="F")
            section += parameter(
                3, name, kind, values.shape, words(data) if kind == 2 else floats(data)
            )
    section += b"\0\0"
    blocks = (len(section) + 4 + 511) // 512
    start = 2 + blocks
    header = bytearray(512)
    header[0], header[1] = 2, 0x50
    header[2:12] = words([m, per_frame, 1, count, 0])
    header[12:16] = floats([scale])
    header[16:20] = words([start, samples if per_frame else 0])
    header[20:24] = floats([rate])
    body = bytes([1, 0x50, blocks, processor]) + section
    body = body.ljust(512 * blocks, b"\0")
    data = b""
    unit_scale = {"mm": 1000.0, "m": 1.0}.get(units, 1000.0)
    for k in range(count):
        seen = np.isfinite(points[k]).all(axis=1)
        four = np.zeros((m, 4))
        four[:, :3] = np.where(seen[:, None], unit_scale * points[k], 0.0)
        four[:, 3] = np.where(seen, 0.0, -1.0)
        if integers:
            four[:, :3] = np.round(four[:, :3] / scale)
            data += words(four)
        else:
            data += floats(four)
        if channels is not None:
            rows = channels[k * samples : (k + 1) * samples]
            data += words(np.round(rows)) if integers else floats(rows)
    path.write_bytes(bytes(header) + body + data)
    return path


@pytest.fixture(scope="session")
def moved() -> Callable[[HumanClip, slice], tuple[tuple[str, ...], Array]]:
    return markers_on


@pytest.fixture
def files() -> dict[str, Callable[..., Path]]:
    return {".trc": write_trc, ".c3d": write_c3d}
