"""glTF and VRM: files that pygltflib wrote give the motion of the BVH behind them."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pygltflib as gl
import pytest
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation, Slerp
from telexist.retarget.errors import BadRecording, TelexistError
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.bvh.read_bvh import bvh_skeleton
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.gltf.read_gltf import gltf_skeleton
from telexist.retarget.recordings.options import ReadOptions
from telexist.retarget.recordings.recognition import SourceSkeleton

VRM_BONES = {
    "hips": "Pelvis",
    "spine": "L5",
    "chest": "T8",
    "neck": "Neck",
    "head": "Head",
    **{
        f"{side.lower()}{bone}": f"{side}{segment}"
        for side in ("Left", "Right")
        for bone, segment in (
            ("Shoulder", "Shoulder"),
            ("UpperArm", "UpperArm"),
            ("LowerArm", "ForeArm"),
            ("Hand", "Hand"),
            ("UpperLeg", "UpperLeg"),
            ("LowerLeg", "LowerLeg"),
            ("Foot", "Foot"),
            ("Toes", "Toe"),
        )
    },
}


@dataclass
class Writer:
    """Collects nodes and tracks, and lets pygltflib write them."""

    model: Any = field(default_factory=gl.GLTF2)
    blob: bytearray = field(default_factory=bytearray)
    tracks: list[tuple[int, str, np.ndarray, np.ndarray, str]] = field(
        default_factory=list
    )

    def accessor(self, values: np.ndarray, kind: str) -> int:
        data = np.ascontiguousarray(values, np.float32).tobytes()
        view = gl.BufferView(buffer=0, byteOffset=len(self.blob), byteLength=len(data))
        self.model.bufferViews.append(view)
        self.blob += data
        self.model.accessors.append(
            gl.Accessor(
                bufferView=len(self.model.bufferViews) - 1,
                componentType=gl.FLOAT,
                count=len(values),
                type=kind,
                min=[float(np.min(values))],
                max=[float(np.max(values))],
            )
        )
        return len(self.model.accessors) - 1

    def animate(self, name: str) -> None:
        animation = gl.Animation(name=name)
        for node, path, time, values, kind in self.tracks:
            sampler = gl.AnimationSampler(
                input=self.accessor(time, "SCALAR"),
                output=self.accessor(values, f"VEC{values.shape[1]}"),
                interpolation=kind,
            )
            animation.samplers.append(sampler)
            target = gl.AnimationChannelTarget(node=node, path=path)
            sampler_index = len(animation.samplers) - 1
            animation.channels.append(
                gl.AnimationChannel(sampler=sampler_index, target=target)
            )
        self.tracks = []
        self.model.animations.append(animation)

    def save(self, path: Path, extensions: Mapping[str, Any] | None = None) -> Path:
        self.model.extensions = dict(extensions or {})
        self.model.buffers = [gl.Buffer(byteLength=len(self.blob))]
        self.model.set_binary_blob(bytes(self.blob))
        if path.suffix == ".gltf":
            self.model.buffers[0].uri = f"{path.stem}.bin"
            (path.parent / f"{path.stem}.bin").write_bytes(self.blob)
            text = json.loads(self.model.to_json())
            path.write_text(json.dumps(text), encoding="utf-8")
        else:
            self.model.save_binary(str(path))
        return path


def local(source: SourceSkeleton, k: int) -> np.ndarray:
    R = source.rotations[:, k]
    parent = source.parents[k]
    return R if parent < 0 else np.swapaxes(source.rotations[:, parent], -1, -2) @ R


def written(source: SourceSkeleton, *, scale: float = 1.0, top: bool = False) -> Writer:
    """Return a BVH's skeleton as nodes; `top` hangs all on a turned, scaled node."""
    writer = Writer()
    assert source.rest_positions is not None
    first = int(top)
    if top:
        turn = [-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]
        node = gl.Node(name="Armature", rotation=turn, scale=[scale] * 3, children=[1])
        writer.model.nodes.append(node)
    for k, name in enumerate(source.names):
        parent = source.parents[k]
        rest = source.rest_positions[k]
        offset = rest - (source.rest_positions[parent] if parent >= 0 else 0.0)
        children = [i + first for i, p in enumerate(source.parents) if p == k]
        writer.model.nodes.append(
            gl.Node(name=name, translation=offset.tolist(), children=children)
        )
        if source.is_end[k]:
            continue
        quat_xyzw = Rotation.from_matrix(local(source, k)).as_quat()
        writer.tracks.append((k + first, "rotation", source.time, quat_xyzw, "LINEAR"))
        if parent < 0:
            way = source.positions[:, k]
            writer.tracks.append((k + first, "translation", source.time, way, "LINEAR"))
    writer.animate("dance")
    writer.model.scenes.append(gl.Scene(nodes=[0]))
    return writer


Write = Callable[..., Path]


@pytest.fixture
def bvh(write_bvh: Write, dialect: Any) -> Path:
    return write_bvh(builtin_clip(12.0), dialect(unit=1.0))


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_joints_are_those_of_the_bvh(bvh: Path, tmp_path: Path, suffix: str) -> None:
    source = bvh_skeleton(bvh)
    back = gltf_skeleton(written(source).save(tmp_path / f"a{suffix}"))
    assert len(back.time) == len(source.time)
    assert back.names == source.names and back.parents == source.parents
    np.testing.assert_allclose(back.positions, source.positions, atol=2e-5)
    np.testing.assert_allclose(back.rotations, source.rotations, atol=2e-5)
    np.testing.assert_allclose(back.rest_positions, source.rest_positions, atol=1e-6)


def test_a_person_is_recognised_under_any_names(
    write_bvh: Write, dialect: Any, naming: Any, tmp_path: Path
) -> None:
    clip = builtin_clip(12.0)
    path = write_bvh(clip, dialect(unit=1.0, name=naming(3)))
    known = read_clip(path)
    back = read_clip(written(bvh_skeleton(path)).save(tmp_path / "a.glb"))
    np.testing.assert_allclose(back.rotations, known.rotations, atol=1e-4)
    np.testing.assert_allclose(back.positions, known.positions, atol=1e-4)


def test_a_scaled_and_turned_node_on_top_changes_nothing(
    write_bvh: Write, dialect: Any, tmp_path: Path
) -> None:
    """As exporters write characters that were made in centimetres with z up."""
    path = write_bvh(builtin_clip(12.0), dialect(unit=0.01, up="z"))
    known = read_clip(path)
    made = written(bvh_skeleton(path), scale=0.01, top=True)
    back = gltf_skeleton(made.save(tmp_path / "a.glb"))
    lengths = np.linalg.norm(np.diff(back.positions[0], axis=0), axis=1)
    assert lengths.max() < 2.0, "metres"
    clip = read_clip(tmp_path / "a.glb")
    np.testing.assert_allclose(clip.rotations, known.rotations, atol=1e-3)
    np.testing.assert_allclose(clip.positions, known.positions, atol=1e-3)


def vrm_extension(kind: str, source: SourceSkeleton, segments: Any) -> dict[str, Any]:
    nodes = {bone: source.names.index(segments(s)) for bone, s in VRM_BONES.items()}
    if kind == "VRM":
        bones: Any = [{"bone": bone, "node": node} for bone, node in nodes.items()]
    else:
        bones = {bone: {"node": node} for bone, node in nodes.items()}
    return {kind: {"specVersion": "1.0", "humanoid": {"humanBones": bones}}}


@pytest.mark.parametrize(
    ("kind", "suffix"),
    [("VRM", ".vrm"), ("VRMC_vrm", ".vrm"), ("VRMC_vrm_animation", ".vrma")],
)
def test_vrm_names_the_bones(
    kind: str, suffix: str, write_bvh: Write, dialect: Any, naming: Any, tmp_path: Path
) -> None:
    clip = builtin_clip(12.0)
    names = naming(5)
    path = write_bvh(clip, dialect(unit=1.0, name=names))
    known, source = read_clip(path), bvh_skeleton(path)
    extensions = vrm_extension(kind, source, names)
    saved = written(source).save(tmp_path / f"a{suffix}", extensions)
    skeleton = gltf_skeleton(saved)
    assert skeleton.joints["LeftForeArm"] == names("LeftForeArm")
    assert skeleton.joints["T8"] == names("T8") and skeleton.unit == 1.0
    back = read_clip(saved)
    assert np.abs(back.rotations - known.rotations).max() < 0.05  # L3, T12 are between
    assert back.rate == pytest.approx(known.rate, rel=1e-4)
    extensions[kind]["humanoid"]["humanBones"] = (
        [{"bone": "hips", "node": 999}] if kind == "VRM" else {"hips": {"node": 999}}
    )
    with pytest.raises(BadRecording, match="hips"):
        read_clip(written(source).save(tmp_path / f"b{suffix}", extensions))


def one_node(*tracks: tuple[str, np.ndarray, np.ndarray, str]) -> Writer:
    writer = Writer()
    writer.model.nodes.append(gl.Node(name="a"))
    writer.tracks = [(0, *track) for track in tracks]
    writer.animate("x")
    return writer


KEYS = np.array([0.0, 0.4, 0.5, 1.1])


def test_between_keys_rotations_are_slerped(tmp_path: Path) -> None:
    turns = Rotation.random(4, random_state=np.random.default_rng(1))
    signs = np.array([[1.0], [-1.0], [-1.0], [1.0]])  # both mean the same
    writer = one_node(("rotation", KEYS, turns.as_quat() * signs, "LINEAR"))
    back = gltf_skeleton(writer.save(tmp_path / "a.glb"))
    expected = Slerp(KEYS, turns)(np.clip(back.time, 0.0, 1.1)).as_matrix()
    np.testing.assert_allclose(back.rotations[:, 0], expected, atol=1e-6)


def test_splines_are_hermites_with_the_tangents_of_the_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    into, values, out = rng.normal(size=(3, 4, 3))
    out = into  # one tangent a key, as SciPy has it
    table = np.stack([into, values, out], axis=1).reshape(12, 3)
    writer = one_node(("translation", KEYS, table, "CUBICSPLINE"))
    back = gltf_skeleton(writer.save(tmp_path / "a.glb"))
    keys = KEYS.astype(np.float32).astype(float)
    expected = CubicHermiteSpline(keys, values, into)(np.clip(back.time, 0.0, keys[-1]))
    np.testing.assert_allclose(back.positions[:, 0], expected, atol=1e-5)


def test_steps_hold_until_the_next_key(tmp_path: Path) -> None:
    values = np.arange(12.0).reshape(4, 3)
    writer = one_node(("translation", KEYS, values, "STEP"))
    back = gltf_skeleton(writer.save(tmp_path / "a.glb"))
    at = np.searchsorted(KEYS.astype(np.float32), back.time, side="right") - 1
    np.testing.assert_allclose(back.positions[:, 0], values[np.minimum(at, 3)])


def test_the_animation_is_the_longest_or_the_one_asked_for(tmp_path: Path) -> None:
    writer = one_node(("translation", KEYS, np.zeros((4, 3)), "LINEAR"))
    writer.tracks = [(0, "translation", 2.0 * KEYS, np.ones((4, 3)), "LINEAR")]
    writer.animate("long")
    path = writer.save(tmp_path / "a.glb")
    assert gltf_skeleton(path).time[-1] == pytest.approx(2.2, abs=0.02)
    assert gltf_skeleton(path, take="x").time[-1] == pytest.approx(1.1, abs=0.02)
    with pytest.raises(BadRecording, match="it has: x, long"):
        gltf_skeleton(path, take="y")


def content(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + size])


def with_content(path: Path, changed: Any) -> Path:
    """Write a binary file again with another JSON."""
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    text = (changed if isinstance(changed, str) else json.dumps(changed)).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size :]
    head = struct.pack(
        "<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A
    )
    path.write_bytes(head + text + rest)
    return path


def put(table: Any, keys: str, value: Any) -> Any:
    *way, last = [int(k) if k.isdigit() else k for k in keys.split(".")]
    at = table
    for key in way:
        at = at[key]
    at[last] = value
    return table


@pytest.mark.parametrize(
    ("keys", "value", "match"),
    [
        ("asset.version", "1.0", "no glTF 2"),
        ("nodes", 3, "nodes"),
        ("nodes.0.children", [0], "hangs elsewhere"),
        ("nodes.0.children", [9], "child 9"),
        ("nodes.0.rotation", [0, 0, 0, 0], "no length"),
        ("nodes.0.rotation", [0, 0, 0], "4 numbers"),
        ("nodes.0.matrix", [0] * 16, "flat"),
        ("nodes.0.translation", [1e300, 0, 0], "3 numbers"),
        ("accessors.0.count", 4_000_000_000, "no known kind|cut off"),
        ("accessors.0.count", 5, "cut off"),
        ("accessors.0.count", -1, "whole number"),
        ("accessors.0.componentType", 5, "no known kind"),
        ("accessors.0.bufferView", 77, "no number 77"),
        ("accessors.0.byteOffset", 10**15, "cut off"),
        ("bufferViews.0.byteLength", 10**15, "cut off"),
        ("bufferViews.0.byteStride", 1, "cut off"),
        ("bufferViews.0.buffer", 3, "no number 3"),
        ("buffers.0.uri", "../../../etc/passwd", "not in the file's folder"),
        ("buffers.0.uri", "/etc/passwd", "not in the file's folder"),
        ("buffers.0.uri", "http://localhost/x", "not in the file's folder"),
        ("buffers.0.uri", "gone.bin", "missing: put it beside"),
        ("buffers.0.uri", "data:;base64,???", "base64"),
        ("animations", [], "no animation"),
        ("animations.0.samplers.0.interpolation", "BEZIER", "BEZIER"),
        ("animations.0.samplers.0.input", 1, "no times"),
        ("animations.0.channels.0.sampler", 8, "no sampler 8"),
        ("animations.0.channels.0.target.node", 8, "no node 8"),
    ],
)
def test_wrong_files_are_one_line_that_names_the_place(
    keys: str, value: Any, match: str, tmp_path: Path
) -> None:
    writer = one_node(("translation", KEYS, np.ones((4, 3)), "LINEAR"))
    path = writer.save(tmp_path / "a.glb")
    with pytest.raises(BadRecording, match=match) as caught:
        read_clip(with_content(path, put(content(path), keys, value)))
    assert "\n" not in str(caught.value) and "a.glb" in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "NaN", '{"asset": 3}'])
def test_other_json_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.gltf"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadRecording):
        read_clip(path)


def test_cut_and_mutated_files_are_read_or_refused(bvh: Path, tmp_path: Path) -> None:
    source = bvh_skeleton(bvh)
    path = written(source).save(tmp_path / "a.glb")
    whole = path.read_bytes()
    size = struct.unpack_from("<I", whole, 12)[0]
    for cut in (3, 11, 19, 20 + size // 2, 20 + size, len(whole) - 4):
        path.write_bytes(whole[:cut])
        with pytest.raises(BadRecording):
            read_clip(path)
    rng = np.random.default_rng(5)
    for _ in range(120):
        bad = bytearray(whole)
        for k in rng.integers(0, 20 + size, rng.integers(1, 6)):
            bad[k] = rng.integers(32, 127)
        path.write_bytes(bad)
        try:
            gltf_skeleton(path)
        except TelexistError as error:
            assert "\n" not in str(error)


def test_sparse_and_whole_numbers_are_understood(tmp_path: Path) -> None:
    writer = one_node(("rotation", KEYS, np.tile([0.0, 0, 0, 1], (4, 1)), "LINEAR"))
    path = writer.save(tmp_path / "a.glb")
    table = content(path)
    half = round(32767 * np.sqrt(0.5))
    data = struct.pack("<4h", half, 0, 0, half) + struct.pack("<H", 3) + b"\0\0"
    import base64

    table["buffers"].append(
        {"byteLength": 12, "uri": "data:;base64," + base64.b64encode(data).decode()}
    )
    views = len(table["bufferViews"])
    table["bufferViews"] += [
        {"buffer": 1, "byteOffset": 0, "byteLength": 8},
        {"buffer": 1, "byteOffset": 8, "byteLength": 2},
    ]
    table["accessors"][1] = {
        "componentType": gl.SHORT,
        "normalized": True,
        "count": 4,
        "type": "VEC4",
        "sparse": {
            "count": 1,
            "indices": {"bufferView": views + 1, "componentType": 5123},
            "values": {"bufferView": views},
        },
    }
    back = gltf_skeleton(with_content(path, table), take="x")
    turned = Rotation.from_euler("x", 90, degrees=True).as_matrix()
    np.testing.assert_allclose(back.rotations[-1, 0], turned, atol=1e-4)
    np.testing.assert_allclose(back.rotations[0, 0], np.eye(3), atol=1e-4)


def test_options_choose_the_take(bvh: Path, tmp_path: Path) -> None:
    path = written(bvh_skeleton(bvh)).save(tmp_path / "a.glb")
    assert len(read_clip(path, ReadOptions(take="dance"))) > 100
    with pytest.raises(BadRecording, match="it has: dance"):
        read_clip(path, ReadOptions(take="walk"))
