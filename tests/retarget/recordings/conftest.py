"""A writer of BVH files in many dialects, from a motion whose truth is known."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from telexist.retarget.human_size import TIPS
from telexist.retarget.recordings.recognition.axes import axis_vector
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import (
    Array,
    exp_so3,
    rotation_x,
    rotation_z,
    shortest_rotation,
)


def random_names(seed: int) -> Callable[[str], str]:
    """Return a naming that says nothing."""
    rng = np.random.default_rng(seed)
    letters = list("abcdefghijkmnopqstuvwxyz")
    book: dict[str, str] = {}
    return lambda name: book.setdefault(name, "".join(rng.choice(letters, 9)))


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """How a file is written.

    `rest` is the posture of the rest skeleton: "npose", "tpose", "apose", "splayed" or
    "nonsense"; `extras` are names of bones that are not part of a person.
    """

    unit: float = 0.01
    up: str = "y"
    yaw: float = 0.0
    orders: tuple[str, ...] = ("ZXY",)
    rest: str = "tpose"
    name: Callable[[str], str] = str
    drop: tuple[str, ...] = ()
    parents: Mapping[str, str] = field(default_factory=dict)
    extras: tuple[str, ...] = ()
    root_above: bool = False
    centre: bool = False
    six_channels: bool = False
    decoration: Callable[[str], str] = str
    header_frames: str = "Frames: {}"
    seed: int = 0


@dataclass
class Node:
    name: str
    parent: int
    offset: Array
    rotations: Array  # file_R_node (t, 3, 3)
    ends: list[Array] = field(default_factory=list)


def rest_rotations(kind: str, seed: int) -> dict[str, Array]:
    """Return the segment rotations of a rest posture."""
    rest = {name: np.eye(3) for name in SEGMENTS}
    rng = np.random.default_rng(seed)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        angle = {"tpose": 90.0, "splayed": 90.0, "apose": 40.0}.get(kind, 0.0)
        for part in ("UpperArm", "ForeArm", "Hand"):
            rest[f"{side}{part}"] = rotation_x(np.deg2rad(sign * angle))
        if kind == "splayed":
            for part in ("UpperLeg", "LowerLeg", "Foot", "Toe"):
                rest[f"{side}{part}"] = rotation_x(np.deg2rad(sign * 20.0))
    if kind == "nonsense":
        for name in SEGMENTS:
            rest[name] = exp_so3(rng.normal(size=3) * 2.0)
    return rest


class BvhBuilder:
    """Builds the nodes of a file from a clip, then its text."""

    def __init__(self, clip: HumanClip, dialect: Dialect) -> None:
        self.clip, self.dialect = clip, dialect
        swap = shortest_rotation((0.0, 0.0, 1.0), axis_vector(dialect.up))
        self.file_R_world = swap @ rotation_z(dialect.yaw)
        rest = rest_rotations(dialect.rest, dialect.seed)
        self.segment_R_joint = {name: rest[name].T @ swap.T for name in SEGMENTS}
        self.nodes: list[Node] = []
        self.at: dict[str, int] = {}
        self._add_person()

    def _rotation(self, segment: str) -> Array:
        k = SEGMENT_INDEX[segment]
        R = self.file_R_world @ self.clip.rotations[:, k]
        return np.asarray(R @ self.segment_R_joint[segment])

    def _local(self, segment: str, vector: Array) -> Array:
        return np.asarray(self.segment_R_joint[segment].T @ vector / self.dialect.unit)

    def _add_person(self) -> None:
        t = len(self.clip)
        if self.dialect.centre:
            self.nodes.append(Node("centre", -1, np.zeros(3), self._rotation("Pelvis")))
        if self.dialect.root_above:
            eye = np.tile(np.eye(3), (t, 1, 1))
            self.nodes.append(Node("reference", -1, np.zeros(3), eye))
        for name in SEGMENTS:
            if name in self.dialect.drop:
                continue
            parent = self.dialect.parents.get(name, PARENT[name])
            while parent in self.dialect.drop:
                parent = PARENT[parent]
            self._add_segment(name, parent)
        for tip, segment in TIPS.items():
            if segment in self.at and "Heel" not in tip:
                size = self.clip.size
                line = size.tips[tip] - size.joints[segment]
                self.nodes[self.at[segment]].ends.append(self._local(segment, line))
        for side in ("Left", "Right"):
            if f"{side}Hand" in self.dialect.drop:
                self._end_at_wrist(side)
        for extra in self.dialect.extras:
            getattr(self, f"_add_{extra}")()

    def _end_at_wrist(self, side: str) -> None:
        joints, arm = self.clip.size.joints, f"{side}ForeArm"
        line = joints[f"{side}Hand"] - joints[arm]
        self.nodes[self.at[arm]].ends.append(self._local(arm, line))

    def _add_segment(self, name: str, parent: str | None) -> None:
        joints = self.clip.size.joints
        offset, above = np.zeros(3), len(self.nodes) - 1
        if parent is not None:
            offset = self._local(parent, joints[name] - joints[parent])
            above = self.at[parent]
        if self.dialect.centre and name == "L5":
            above = 0
        if name in ("LeftHand", "RightHand") and "twist" in self.dialect.extras:
            above = self._add_in_chain(parent or "", above, offset)
            offset = offset / 2.0
        self.at[name] = len(self.nodes)
        node = Node(self.dialect.name(name), above, offset, self._rotation(name))
        self.nodes.append(node)

    def _add_in_chain(self, segment: str, above: int, offset: Array) -> int:
        """Add a bone half-way that twists about the limb."""
        angle = np.linspace(0.0, 0.7, len(self.clip))[:, None]
        twist = exp_so3(angle * offset / np.linalg.norm(offset))
        R = self._rotation(segment) @ twist
        # what follows hangs on this bone: keep it where it is, the twist is about it
        name = self.dialect.name(f"{segment}Twist")
        self.nodes.append(Node(name, above, offset / 2.0, R))
        return len(self.nodes) - 1

    def _add_twist(self) -> None:
        for side in ("Left", "Right"):
            self._leaf(f"{side}UpperArm", "Roll", np.array([0.0, 0.0, -0.14]))

    def _add_sword(self) -> None:
        self._leaf("RightHand", "Prop", np.array([0.05, 0.0, -0.08]), [1.0, 0.0, 0.0])

    def _add_face(self) -> None:
        for name, y in (("Jaw", 0.0), ("EyeL", 0.03), ("EyeR", -0.03)):
            self._leaf("Head", name, np.array([0.08, y, 0.05]))

    def _add_fingers(self) -> None:
        for side in ("Left", "Right"):
            for i, x in enumerate((0.03, 0.01, -0.01, -0.03)):
                parent = self.at[f"{side}Hand"]
                segment = f"{side}Hand"
                for k, z in enumerate((-0.09, -0.04, -0.02)):
                    line = np.array([x if k == 0 else 0.0, 0.0, z])
                    name = self.dialect.name(f"{side}Finger{i}{k}")
                    offset = self._local(segment, line)
                    node = Node(name, parent, offset, self._rotation(segment))
                    parent = len(self.nodes)
                    self.nodes.append(node)
                self.nodes[-1].ends.append(
                    self._local(segment, np.array([0, 0, -0.02]))
                )

    def _leaf(
        self, segment: str, name: str, at: Array, end: list[float] | None = None
    ) -> None:
        node = Node(
            self.dialect.name(f"{segment}{name}"),
            self.at[segment],
            self._local(segment, at),
            self._rotation(segment),
        )
        node.ends.append(self._local(segment, np.array(end or [0.0, 0.0, -0.02])))
        self.nodes.append(node)

    def text(self) -> str:
        children: list[list[int]] = [[] for _ in self.nodes]
        for k, node in enumerate(self.nodes):
            if node.parent >= 0:
                children[node.parent].append(k)
        lines, columns = ["HIERARCHY"], []
        stack: list[tuple[int, bool]] = [(0, True)]
        while stack:
            k, opening = stack.pop()
            if not opening:
                lines.append("}")
                continue
            lines.extend(self._header(k))
            columns.append(self._values(k))
            for end in self.nodes[k].ends:
                lines.extend(["End Site", "{", "OFFSET " + _row(end), "}"])
            stack.append((k, False))
            stack.extend((child, True) for child in reversed(children[k]))
        values = np.concatenate(columns, axis=1)
        step = float(self.clip.time[1] - self.clip.time[0])
        lines += ["MOTION", self.dialect.header_frames.format(len(values))]
        lines.append(f"Frame Time: {step:.9f}")
        lines += [_row(row) for row in values]
        return self.dialect.decoration("\n".join(lines) + "\n")

    def _moves(self, k: int) -> bool:
        return k == 0 or self.dialect.six_channels

    def _header(self, k: int) -> list[str]:
        node = self.nodes[k]
        order = self._order(k)
        names = [f"{a}position" for a in "XYZ"] if self._moves(k) else []
        names += [f"{a}rotation" for a in order]
        word = "ROOT" if node.parent < 0 else "JOINT"
        channels = f"CHANNELS {len(names)} " + " ".join(names)
        return [f"{word} {node.name}", "{", "OFFSET " + _row(node.offset), channels]

    def _order(self, k: int) -> str:
        return self.dialect.orders[k % len(self.dialect.orders)]

    def _values(self, k: int) -> Array:
        node = self.nodes[k]
        local = node.rotations
        if node.parent >= 0:
            above = self.nodes[node.parent].rotations
            local = np.swapaxes(above, -1, -2) @ local
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # gimbal lock: any of its answers is right
            euler = Rotation.from_matrix(local).as_euler(self._order(k), degrees=True)
        if not self._moves(k):
            return np.asarray(euler)
        where = np.tile(node.offset, (len(euler), 1))
        if node.parent == (0 if self.dialect.root_above else -1):
            where = self._root()
        return np.concatenate([where, euler], axis=1)

    def _root(self) -> Array:
        return np.asarray(
            self.clip.positions[:, 0] @ self.file_R_world.T / self.dialect.unit
        )


def _row(values: Array) -> str:
    return " ".join(f"{v:.7f}" for v in values)


@pytest.fixture(scope="session")
def dialect() -> type[Dialect]:
    return Dialect


@pytest.fixture(scope="session")
def naming() -> Callable[[int], Callable[[str], str]]:
    return random_names


@pytest.fixture(scope="session")
def bvh_text() -> Callable[[HumanClip, Dialect], str]:
    """Return the writer: clip and dialect to the text of a file."""
    return lambda clip, dialect: BvhBuilder(clip, dialect).text()


@pytest.fixture
def write_bvh(tmp_path: Path) -> Callable[[HumanClip, Dialect], Path]:
    """Return the writer: clip and dialect to a file."""

    def write(clip: HumanClip, dialect: Dialect) -> Path:
        path = tmp_path / "written.bvh"
        path.write_bytes(BvhBuilder(clip, dialect).text().encode())
        return path

    return write
