"""The robot that a policy names: a policy is a pair with the model it was trained on.

A URDF or an MJCF gets a drafted `robot.toml`; armature, damping and friction of an MJCF
and of the policy's own file become its drives. It is written to a folder of its own, so
that other processes can load the very same robot.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.errors import BadPolicy
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel, load_robot, load_spec, spec_path
from telexist.robots.draft import draft_robot
from telexist.robots.mjcf import is_mjcf, load_mjcf
from telexist.robots.urdf import toml_text
from telexist.teleop.controllers.policy.match import match_joints
from telexist.teleop.controllers.policy.read_policy import Policy, numbers_of

__all__ = ["policy_robot"]

MODELS = (".urdf", ".xml", ".mjcf")
Drives = dict[str, dict[str, float]]


def policy_robot(
    policy: Policy, robot: str = "", folders: Iterable[str | Path] = ()
) -> RobotModel:
    """Load a policy's robot, with the drives that it was trained with.

    Args:
        policy: The policy.
        robot: Name or file of another robot, which the user asked for.
        folders: Where the user keeps models.

    Raises:
        BadPolicy: If its drives are not one number for each joint.
        BadInput: If there is no such robot, or its model cannot be used.
        ModelNotFound: If its model is not on this machine.
    """
    if not robot and not policy.file.robot:
        problem = "names no robot; name it there or with --robot"
        raise BadPolicy(policy.path, problem, place="robot")
    named = Path(robot) if robot else _named(policy)
    drives: Drives = {}
    table: dict[str, Any] = {}
    if named.suffix in MODELS:
        table = tomllib.loads(draft_robot(named.absolute()).text)
        if is_mjcf(named):
            drives = _drives_of_mjcf(named)
    for joint, values in _drives_of_policy(policy).items():
        drives[joint] = drives.get(joint, {}) | values
    if not table and not drives:
        return load_robot(named, folders)
    if not table:
        match_joints(policy, load_robot(named, folders))  # before it gets drives
        path = spec_path(named)
        table = {"name": load_spec(path).name, "extends": str(path.absolute())}
    joints = {name: drives[name] for name in policy.joints if name in drives}
    folder = Path(tempfile.mkdtemp(prefix="telexist-policy-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = folder / "robot.toml"
    file.write_text(toml_text(table | {"actuators": joints}), encoding="utf-8")
    return load_robot(file, folders)


def _named(policy: Policy) -> Path:
    """Return the robot of the policy's file: beside it, or a name."""
    beside = policy.path.parent / policy.file.robot
    return beside if beside.exists() else Path(policy.file.robot)


def _drives_of_mjcf(path: Path) -> Drives:
    model = load_mjcf(path).model
    drives: Drives = {}
    for i in range(model.njnt):
        joint, dof = model.joint(i), int(model.jnt_dofadr[i])
        values = {
            "armature": float(model.dof_armature[dof]),
            "damping": float(model.dof_damping[dof]),
            "friction": float(model.dof_frictionloss[dof]),
        }
        if joint.name and values["armature"] > 0.0:
            drives[joint.name] = values
    return drives


def _drives_of_policy(policy: Policy) -> Drives:
    found: Drives = {name: {} for name in policy.joints}
    given = policy.file.drives
    for key in ("armature", "damping", "friction", "effort"):
        value = getattr(given, key)
        if value:
            place = f"drives.{key}"
            numbers: Array = numbers_of(value, policy.joints, policy.path, place)
            for name, number in zip(policy.joints, np.abs(numbers), strict=True):
                found[name][key] = float(number)
    return {name: values for name, values in found.items() if values}
