"""FBX: files assembled here, byte by byte, give the motion they were made of.

SciPy computes where the joints must be; the writer knows nothing of the reader.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation
from telexist.retarget.errors import BadRecording, TelexistError
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.bvh.read_bvh import bvh_skeleton
from telexist.retarget.recordings.fbx.binary import parse_fbx
from telexist.retarget.recordings.fbx.read_fbx import fbx_skeleton
from telexist.retarget.recordings.fbx.scene import read_scene
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.recognition import SourceSkeleton

SECOND = 46_186_158_000  # ticks of KTime
ORDERS = {"xyz": 0, "xzy": 1, "yzx": 2, "yxz": 3, "zxy": 4, "zyx": 5}


@dataclass
class Node:
    """An element of the file: its name, its values and what is in it."""

    name: str
    values: Sequence[Any] = ()
    inner: list[Node] = field(default_factory=list)


class Bomb(bytes):
    """A packed array that is larger than it says."""


class Long(int):
    """Written with 64 bits."""


def binary(nodes: Sequence[Node], version: int = 7400) -> bytes:
    """Return a binary file."""
    body = b"Kaydara FBX Binary  \x00\x1a\x00" + struct.pack("<I", version)
    head = "<QQQ" if version >= 7500 else "<III"
    for node in nodes:
        body += _element(node, len(body), head)
    return body + b"\0" * (struct.calcsize(head) + 1) + b"\0" * 160


def _element(node: Node, at: int, kind: str) -> bytes:
    values = b"".join(_value(v) for v in node.values)
    name = node.name.encode()
    first = struct.calcsize(kind) + 1
    start = at + first + len(name) + len(values)
    inner = b""
    for child in node.inner:
        inner += _element(child, start + len(inner), kind)
    if node.inner:
        inner += b"\0" * first
    end = start + len(inner)
    head = struct.pack(kind, end, len(node.values), len(values))
    return head + bytes([len(name)]) + name + values + inner


def _value(value: Any) -> bytes:
    if isinstance(value, Long):
        return b"L" + struct.pack("<q", value)
    if isinstance(value, int):
        return b"I" + struct.pack("<i", value)
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    if isinstance(value, str):
        name, _, kind = value.partition("::")
        data = (f"{name}\0\1{kind}" if kind else value).encode()
        return b"S" + struct.pack("<I", len(data)) + data
    if isinstance(value, Bomb):
        return b"l" + struct.pack("<III", 20, 1, len(value)) + value
    code = {"i8": b"l", "f4": b"f", "i4": b"i", "f8": b"d"}[value.dtype.str[1:]]
    data = zlib.compress(value.tobytes())
    return code + struct.pack("<III", len(value), 1, len(data)) + data


@dataclass
class Joint:
    """A bone: its offset, its angles [deg] about x, y, z, and how it is set up."""

    name: str
    parent: int
    offset: np.ndarray
    angles: np.ndarray  # (t, 3)
    order: str = "xyz"
    pre: Sequence[float] = (0.0, 0.0, 0.0)
    post: Sequence[float] = (0.0, 0.0, 0.0)
    way: np.ndarray | None = None
    others: dict[str, Sequence[float]] = field(default_factory=dict)

    def local(self) -> Rotation:
        """Return what the format says: pre, angles in their order, inverse of post."""
        turn = Rotation.identity(len(self.angles))
        for axis in self.order:  # the first named is the innermost
            column = self.angles[:, ["xyz".index(axis)]]
            turn = Rotation.from_euler(axis, column, degrees=True) * turn
        pre = Rotation.from_euler("xyz", self.pre, degrees=True)
        post = Rotation.from_euler("xyz", self.post, degrees=True)
        return pre * turn * post.inv()


def prop(name: str, kind: str, *values: Any) -> Node:
    return Node("P", (name, kind, "", "A", *values))


def document(
    joints: Sequence[Joint], rate: float, *, unit: float = 100.0, up: int = 1
) -> list[Node]:
    """Return the elements of a file; `unit` is in centimetres, `up` an axis."""
    settings = Node(
        "GlobalSettings",
        (),
        [
            Node(
                "Properties70",
                (),
                [
                    prop("UpAxis", "int", up),
                    prop("UpAxisSign", "int", 1),
                    prop("FrontAxis", "int", 2 if up == 1 else 1),
                    prop("FrontAxisSign", "int", 1 if up == 1 else -1),
                    prop("CoordAxis", "int", 0),
                    prop("CoordAxisSign", "int", 1),
                    prop("UnitScaleFactor", "double", unit),
                    prop("TimeMode", "enum", 14),
                    prop("CustomFrameRate", "double", rate),
                ],
            )
        ],
    )
    frames = len(joints[0].angles)
    ticks = np.round(np.arange(frames) / rate * SECOND).astype("<i8")
    objects, links = [], []

    def curve(key: int, values: np.ndarray) -> Node:
        return Node(
            "AnimationCurve",
            (Long(key), "::AnimCurve", ""),
            [
                Node("Default", (float(values[0]),)),
                Node("KeyVer", (4008,)),
                Node("KeyTime", (ticks,)),
                Node("KeyValueFloat", (values.astype("<f4"),)),
                Node("KeyAttrFlags", (np.array([4], "<i4"),)),
                Node("KeyAttrDataFloat", (np.zeros(4, "<f4"),)),
                Node("KeyAttrRefCount", (np.array([frames], "<i4"),)),
            ],
        )

    end = Long(ticks[-1])
    objects.append(
        Node(
            "AnimationStack",
            (Long(1), "Take 001::AnimStack", ""),
            [
                Node(
                    "Properties70",
                    (),
                    [
                        Node("P", ("LocalStop", "KTime", "Time", "", end)),
                        Node("P", ("ReferenceStop", "KTime", "Time", "", end)),
                    ],
                )
            ],
        )
    )
    objects.append(
        Node("AnimationLayer", (Long(2), "Base::AnimLayer", ""), [Node("Dummy", (1,))])
    )
    links.append(Node("C", ("OO", Long(2), Long(1))))
    for k, joint in enumerate(joints):
        key, base = 1000 + k, 10_000 + 20 * k
        start = joint.offset if joint.way is None else joint.way[0]
        places = [float(x) for x in start]
        properties = [
            prop("RotationActive", "bool", 1),
            prop("RotationOrder", "enum", ORDERS[joint.order]),
            prop("PreRotation", "Vector3D", *map(float, joint.pre)),
            prop("PostRotation", "Vector3D", *map(float, joint.post)),
            prop("Lcl Translation", "Lcl Translation", *places),
            *(prop(n, "Vector3D", *map(float, v)) for n, v in joint.others.items()),
        ]
        objects.append(
            Node(
                "Model",
                (Long(key), f"{joint.name}::Model", "LimbNode"),
                [Node("Version", (232,)), Node("Properties70", (), properties)],
            )
        )
        objects.append(
            Node(
                "NodeAttribute",
                (Long(base + 19), "::NodeAttribute", "LimbNode"),
                [Node("TypeFlags", ("Skeleton",))],
            )
        )
        links.append(Node("C", ("OO", Long(base + 19), Long(key))))
        above = 0 if joint.parent < 0 else 1000 + joint.parent
        links.append(Node("C", ("OO", Long(key), Long(above))))
        moving = [("R", "Lcl Rotation", joint.angles, 0)]
        if joint.way is not None:
            moving.append(("T", "Lcl Translation", joint.way, 8))
        for word, name, table, more in moving:
            own = base + more
            values = [
                prop(f"d|{a}", "Number", float(table[0, i]))
                for i, a in enumerate("XYZ")
            ]
            objects.append(
                Node(
                    "AnimationCurveNode",
                    (Long(own), f"{word}::AnimCurveNode", ""),
                    [Node("Properties70", (), values)],
                )
            )
            links.append(Node("C", ("OO", Long(own), Long(2))))
            links.append(Node("C", ("OP", Long(own), Long(key), name)))
            for i, axis in enumerate("XYZ"):
                objects.append(curve(own + 1 + i, table[:, i]))
                links.append(
                    Node("C", ("OP", Long(own + 1 + i), Long(own), f"d|{axis}"))
                )
    header = Node(
        "FBXHeaderExtension",
        (),
        [Node("FBXHeaderVersion", (1003,)), Node("FBXVersion", (7400,))],
    )
    return [
        header,
        settings,
        Node("Objects", (), objects),
        Node("Connections", (), links),
    ]


def chained(joints: Sequence[Joint]) -> tuple[np.ndarray, np.ndarray]:
    """Return positions (t, j, 3) and rotations by SciPy alone."""
    t = len(joints[0].angles)
    positions, turns = np.zeros((t, len(joints), 3)), []
    for k, joint in enumerate(joints):
        local = joint.local()
        way = np.tile(joint.offset, (t, 1)) if joint.way is None else joint.way
        if joint.parent < 0:
            positions[:, k] = way
            turns.append(local)
        else:
            above = turns[joint.parent]
            positions[:, k] = positions[:, joint.parent] + above.apply(way)
            turns.append(above * local)
    return positions, np.stack([turn.as_matrix() for turn in turns], axis=1)


def some_joints(seed: int, order: str = "xyz") -> list[Joint]:
    rng = np.random.default_rng(seed)
    steps = rng.uniform(-9.0, 9.0, (3, 20, 3)).cumsum(axis=1)
    return [
        Joint("root", -1, np.zeros(3), steps[0], order, way=rng.normal(size=(20, 3))),
        Joint("a", 0, rng.normal(size=3), steps[1], order, pre=rng.uniform(-90, 90, 3)),
        Joint(
            "b",
            1,
            rng.normal(size=3),
            steps[2],
            order,
            pre=rng.uniform(-90, 90, 3),
            post=rng.uniform(-90, 90, 3),
        ),
    ]


@pytest.mark.parametrize("version", [7400, 7700])
@pytest.mark.parametrize("order", ORDERS)
def test_joints_are_where_scipy_puts_them(
    version: int, order: str, tmp_path: Path
) -> None:
    joints = some_joints(3, order)
    path = tmp_path / "a.fbx"
    path.write_bytes(binary(document(joints, 30.0), version))
    back = fbx_skeleton(path)
    assert back.names == ("root", "a", "b") and back.parents == (-1, 0, 1)
    positions, rotations = chained(joints)
    np.testing.assert_allclose(back.time, np.arange(20) / 30.0, atol=1e-6)
    np.testing.assert_allclose(back.positions, positions, atol=2e-5)
    np.testing.assert_allclose(back.rotations, rotations, atol=2e-5)


def from_bvh(source: SourceSkeleton) -> list[Joint]:
    assert source.rest_positions is not None
    joints = []
    for k, name in enumerate(source.names):
        parent, R = source.parents[k], source.rotations[:, k]
        rest = source.rest_positions[k]
        local = R
        if parent >= 0:
            local = np.swapaxes(source.rotations[:, parent], -1, -2) @ R
            rest = rest - source.rest_positions[parent]
        angles = Rotation.from_matrix(local).as_euler("xyz", degrees=True)
        angles = np.rad2deg(np.unwrap(np.deg2rad(angles), axis=0))
        way = source.positions[:, k] if parent < 0 else None
        joints.append(Joint(name, parent, rest, angles, way=way))
    return joints


@pytest.mark.filterwarnings("ignore:Gimbal lock")
@pytest.mark.parametrize(
    ("unit", "file_unit", "up", "axis"), [(0.01, 1.0, "y", 1), (0.001, 0.1, "z", 2)]
)
def test_a_person_is_that_of_the_bvh(
    unit: float,
    file_unit: float,
    up: str,
    axis: int,
    write_bvh: Any,
    dialect: Any,
    tmp_path: Path,
) -> None:
    path = write_bvh(builtin_clip(12.0), dialect(unit=unit, up=up))
    known = read_clip(path)
    joints = from_bvh(bvh_skeleton(path))
    fbx = tmp_path / "a.fbx"
    fbx.write_bytes(binary(document(joints, 12.0, unit=file_unit, up=axis)))
    back = read_clip(fbx)
    assert len(back) == len(known)
    np.testing.assert_allclose(back.rotations, known.rotations, atol=2e-3)
    np.testing.assert_allclose(back.positions, known.positions, atol=2e-3)


def test_a_take_is_chosen_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.fbx"
    path.write_bytes(binary(document(some_joints(1), 30.0)))
    assert len(fbx_skeleton(path, take="Take 001").time) == 20
    with pytest.raises(BadRecording, match="it has: Take 001"):
        fbx_skeleton(path, take="Walk")


def test_files_without_motion_and_other_files_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.fbx"
    whole = document(some_joints(2), 30.0)
    still = [Node("Objects", (), [n for n in whole[2].inner if "Anim" not in n.name])]
    cases = {
        b"": "empty",
        b"HIERARCHY\nROOT": "no FBX",
        b"; FBX 7.4.0 project file\n": "as text: export it as binary",
        binary(whole)[:24]: "header",
        binary(whole, 6100): "FBX 6100: export it as",
        binary([*whole[:2], *still]): "no animation",
        binary(whole)[:2000]: "damaged",
        binary(
            document([Joint("a", -1, np.zeros(3), np.zeros((1, 3)))], 30.0)
        ): "one frame",
    }
    for content, match in cases.items():
        path.write_bytes(content)
        with pytest.raises(BadRecording, match=match) as caught:
            read_clip(path)
        assert "\n" not in str(caught.value) and "a.fbx" in str(caught.value)


def test_mutated_files_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.fbx"
    rng = np.random.default_rng(7)
    whole = binary(document(some_joints(4), 30.0))
    refused = 0
    for _ in range(400):
        bad = bytearray(whole)
        for k in rng.integers(0, len(bad), rng.integers(1, 8)):
            bad[k] = rng.integers(0, 256)
        if rng.random() < 0.2:
            del bad[rng.integers(1, len(bad)) :]
        path.write_bytes(bad)
        try:
            fbx_skeleton(path)
        except TelexistError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 100


def only_curve(flags: int, slopes: np.ndarray) -> list[Node]:
    """Return a file in which one number moves, by four keys with these slopes."""
    turns = np.zeros((4, 3))
    way = np.stack([[0.0, 1.0, -0.5, 2.0], np.zeros(4), np.zeros(4)], axis=1)
    whole = document([Joint("a", -1, np.zeros(3), turns, way=way)], 12.0)
    data = np.zeros((4, 4), "<f4")
    data[:, :2] = slopes
    curves = [n for n in whole[2].inner if n.name == "AnimationCurve"]
    curves[3].inner[4:] = [
        Node("KeyAttrFlags", (np.full(4, flags, "<i4"),)),
        Node("KeyAttrDataFloat", (data.ravel(),)),
        Node("KeyAttrRefCount", (np.ones(4, "<i4"),)),
    ]
    return whole


def test_between_keys_curves_are_hermites_lines_or_steps(tmp_path: Path) -> None:
    path = tmp_path / "a.fbx"
    keys, values = np.arange(4) / 12.0, np.array([0.0, 1.0, -0.5, 2.0])
    slopes = np.array([3.0, -2.0, 5.0, 1.0])
    pairs = np.stack([slopes, np.append(slopes[1:], 0.0)], axis=1)
    at = np.linspace(0.0, 0.25, 31)

    def read(flags: int, pairs: np.ndarray) -> np.ndarray:
        path.write_bytes(binary(only_curve(flags, pairs)))
        scene = read_scene(path, parse_fbx(path))
        return scene.takes[0].curves[0, "Lcl Translation", 0].at(at)

    spline = CubicHermiteSpline(keys, values, slopes)
    np.testing.assert_allclose(read(0x408, pairs), spline(at), atol=1e-5)
    np.testing.assert_allclose(read(0x4, pairs), np.interp(at, keys, values), atol=1e-6)
    held = values[np.searchsorted(keys, at + 1e-9, side="right") - 1]
    np.testing.assert_allclose(read(0x2, pairs), held, atol=1e-6)
    automatic = CubicHermiteSpline(keys, values, np.gradient(values, keys))
    np.testing.assert_allclose(read(0x108, pairs * 0), automatic(at), atol=1e-5)


def test_the_bind_pose_is_the_rest_posture(tmp_path: Path) -> None:
    whole = document(some_joints(5), 30.0)
    poses = []
    rng = np.random.default_rng(8)
    for _ in range(3):
        matrix = np.eye(4)
        matrix[:3, :3] = 2.0 * Rotation.random(random_state=rng).as_matrix()
        matrix[:3, 3] = rng.normal(size=3)
        poses.append(matrix)
    entries = [
        Node(
            "PoseNode",
            (),
            [Node("Node", (Long(1000 + k),)), Node("Matrix", (m.T.ravel(),))],
        )
        for k, m in enumerate(poses)
    ]
    whole[2].inner.append(Node("Pose", (Long(77), "x::Pose", "BindPose"), entries))
    path = tmp_path / "a.fbx"
    path.write_bytes(binary(whole))
    back = fbx_skeleton(path)
    np.testing.assert_allclose(back.rest_positions, [m[:3, 3] for m in poses])
    np.testing.assert_allclose(back.rest_rotations, [m[:3, :3] / 2 for m in poses])


def test_packed_arrays_never_grow_beyond_what_they_declare(tmp_path: Path) -> None:
    nodes = document(some_joints(6), 30.0)
    curve = next(n for n in nodes[2].inner if n.name == "AnimationCurve")
    curve.inner[2] = Node("KeyTime", (Bomb(zlib.compress(b"\0" * 50_000_000)),))
    path = tmp_path / "a.fbx"
    path.write_bytes(binary(nodes))
    with pytest.raises(BadRecording, match="AnimationCurve.*differ"):
        fbx_skeleton(path)


def test_pivots_offsets_and_scales_are_the_product_of_the_format(
    tmp_path: Path,
) -> None:
    rng = np.random.default_rng(9)
    names = ("RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot")
    joints = some_joints(9)
    for joint in joints:
        joint.others = {name: rng.normal(size=3) for name in names}
        joint.others["Lcl Scaling"] = np.full(3, rng.uniform(0.5, 2.0))
    path = tmp_path / "a.fbx"
    path.write_bytes(binary(document(joints, 30.0)))
    back = fbx_skeleton(path)

    def moved(by: Sequence[float] | np.ndarray) -> np.ndarray:
        T = np.eye(4)
        T[:3, 3] = by
        return T

    for frame in (0, 7, 19):
        world = np.eye(4)
        for k, joint in enumerate(joints):
            offset, pivot, scaled, about = (np.array(joint.others[n]) for n in names)
            R, S = np.eye(4), np.eye(4)
            R[:3, :3] = joint.local()[frame].as_matrix()
            S[:3, :3] *= np.array(joint.others["Lcl Scaling"])
            place = joint.offset if joint.way is None else joint.way[frame]
            world = world @ moved(place) @ moved(offset) @ moved(pivot) @ R
            world = world @ moved(-pivot) @ moved(scaled) @ moved(about) @ S
            world = world @ moved(-about)
            np.testing.assert_allclose(
                back.positions[frame, k], world[:3, 3], atol=5e-5
            )
