"""A robot as pinocchio sees it: limbs from joint to joint, corners of the soles."""

from __future__ import annotations

import importlib.util
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

__all__ = ["JudgedRobot", "RobotPoints", "load_judged_robot"]

_CHAIN = {
    "leg": ("Pelvis", "UpperLeg", "LowerLeg", "Foot"),
    "arm": ("T8", "UpperArm", "ForeArm", "Hand"),
}
_ENDS = {"leg": ("hip", "knee", "ankle"), "arm": ("shoulder", "elbow", "wrist")}


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotPoints:
    """Where a robot is over time, z up, in metres.

    Attributes:
        points: "left_ankle" ... to positions (t, 3), for the joints that it has.
        pelvis: Origin of the base (t, 3).
        corners: Of each sole (t, 4, 3).
        com: Centre of mass (t, 3).
    """

    points: dict[str, NDArray[np.float64]]
    pelvis: NDArray[np.float64]
    corners: dict[str, NDArray[np.float64]]
    com: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRobot:
    """A model and what the table of the robot says of links and soles."""

    name: str
    urdf: Path
    model: Any
    base: str
    joints: dict[str, int]
    soles: dict[str, dict[str, Any]]

    def place(
        self,
        names: list[str],
        q: NDArray[np.float64],
        p: NDArray[np.float64],
        quat_wxyz: NDArray[np.float64],
    ) -> RobotPoints:
        """Follow a motion.

        Args:
            names: Of the joints.
            q: Their positions (t, n).
            p: Of the base (t, 3) [m].
            quat_wxyz: Of the base (t, 4).
        """
        model, data = self.model, self.model.createData()
        full = np.tile(pin.neutral(model), (len(q), 1))
        full[:, :3], full[:, 3:7] = p, quat_wxyz[:, [1, 2, 3, 0]]
        for column, name in enumerate(names):
            if model.existJointName(name):
                full[:, model.joints[model.getJointId(name)].idx_q] = q[:, column]
        base = model.getFrameId(self.base)
        base_M = model.frames[base].placement.inverse()
        frames = {s: model.getFrameId(sole["link"]) for s, sole in self.soles.items()}
        points = {name: np.empty((len(q), 3)) for name in self.joints}
        corners = {side: np.empty((len(q), 4, 3)) for side in self.soles}
        com = np.empty((len(q), 3))
        for k, row in enumerate(full):
            world_M = pin.XYZQUATToSE3(row[:7]) * base_M
            row[:7] = pin.SE3ToXYZQUAT(world_M)
            pin.framesForwardKinematics(model, data, row)
            for name, joint in self.joints.items():
                points[name][k] = data.oMi[joint].translation
            for side, frame in frames.items():
                M = data.oMf[frame]
                corners[side][k] = (
                    self.soles[side]["corners"] @ M.rotation.T + M.translation
                )
            com[k] = pin.centerOfMass(model, data, row)
        return RobotPoints(
            points=points,
            pelvis=np.asarray(p, dtype=np.float64),
            corners=corners,
            com=com,
        )


def load_judged_robot(table: Path, urdf: Path | None = None) -> JudgedRobot:
    """Load the model that a robot's table names.

    Args:
        table: A `robot.toml`.
        urdf: The model, where it is not found beside the packages.

    Raises:
        FileNotFoundError: If there is no model.
    """
    content = tomllib.loads(table.read_text())
    path = urdf or _find_urdf(content["model"], table)
    model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    links, joints = content["links"], {}
    for side in ("Left", "Right"):
        for limb, parts in _CHAIN.items():
            names = [
                links.get(part if part in ("Pelvis", "T8") else f"{side}{part}")
                for part in parts
            ]
            for above, below, end in zip(
                names[:-1], names[1:], _ENDS[limb], strict=True
            ):
                if above and below:
                    joint = _joint_between(model, above, below, end)
                    joints[f"{side.lower()}_{end}"] = joint
    soles = {}
    for side, sole in content.get("soles", {}).items():
        x, y = sole["length"] / 2.0, sole["width"] / 2.0
        flat = np.array([[x, y, 0.0], [x, -y, 0.0], [-x, y, 0.0], [-x, -y, 0.0]])
        R = pin.rpy.rpyToMatrix(np.array(sole.get("rpy", [0.0, 0.0, 0.0])))
        soles[side] = {**sole, "corners": flat @ R.T + np.array(sole["position"])}
    return JudgedRobot(
        name=content["name"],
        urdf=path,
        model=model,
        base=content["base"]["link"],
        joints=joints,
        soles=soles,
    )


def _joint_between(model: Any, above: str, below: str, end: str) -> int:
    """Return the joint that leads from one link to another.

    Of a hip or shoulder whose axes do not meet in a point, the one in the middle.
    """
    joint = model.frames[model.getFrameId(below)].parentJoint
    stop = model.frames[model.getFrameId(above)].parentJoint if above else 0
    stops, chain = set(), []
    while stop > 0:
        stops.add(stop)
        stop = model.parents[stop]
    while joint > 1 and joint not in stops:
        chain.append(int(joint))
        joint = model.parents[joint]
    if end in ("hip", "shoulder"):
        return chain[min(len(chain) - 1, 1)]
    return chain[-1]


def _find_urdf(content: dict[str, Any], table: Path) -> Path:
    folders = [Path(sys.prefix)]
    cmeel = importlib.util.find_spec("cmeel")
    places = list(cmeel.submodule_search_locations or []) if cmeel else []
    folders += [Path(p).parent / "cmeel.prefix" for p in places]
    for entry in sys.path:
        prefix = Path(entry) / "cmeel.prefix"
        folders += [prefix, prefix / "share/example-robot-data"]
    for folder in folders:
        if (folder / content["path"]).is_file():
            return folder / content["path"]
    raise FileNotFoundError(f"{table}: no {content['path']}; state it with --urdf")
