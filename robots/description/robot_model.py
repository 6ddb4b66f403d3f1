"""Build the engine's `RobotBody` from a `robot.toml` and its model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadConfig
from telexist.retarget.human import adult_size, human_urdf
from telexist.retarget.kinematics import Kinematics
from telexist.retarget.robot_body import Coupling, RobotBody, Sole
from telexist.retarget.so3 import Array, rotation_from_rpy
from telexist.robots.description.check_names import check_names
from telexist.robots.description.find import find_model
from telexist.robots.description.library import load_spec, spec_path
from telexist.robots.description.limits import (
    BodyLimits,
    joint_limits,
    keep_followers_inside,
)
from telexist.robots.description.mimics import Following, resolve_mimics
from telexist.robots.description.robot_solids import robot_solids
from telexist.robots.description.skeleton import joint_centres
from telexist.robots.description.spec import LimitSpec, RobotSpec, SoleSpec
from telexist.robots.description.stance import standing
from telexist.robots.mjcf import read_model
from telexist.robots.urdf import Urdf, clean_urdf, parse_urdf

__all__ = ["RobotModel", "build_robot", "load_body", "load_robot"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RobotModel:
    """A robot with all that is known of it.

    Attributes:
        spec: What its `robot.toml` says.
        path: That file.
        urdf: Its model.
        body: What the engine sees.
        limits: The body's limits, and which of them are defaults.
        locked: Joint to the position at which it is welded.
    """

    spec: RobotSpec
    path: Path
    urdf: Urdf
    body: RobotBody
    limits: BodyLimits
    locked: Mapping[str, float]


def load_body(
    name_or_path: str | Path, folders: Iterable[str | Path] = ()
) -> RobotBody:
    """Load a robot for the engine; see `load_robot`."""
    return load_robot(name_or_path, folders).body


def load_robot(
    name_or_path: str | Path,
    folders: Iterable[str | Path] = (),
    *,
    download: bool = False,
) -> RobotModel:
    """Load a robot.

    Args:
        name_or_path: Name of a shipped robot, a `robot.toml` or its folder.
        folders: Where the user keeps models.
        download: Whether the model may be fetched from the net.

    Raises:
        UnknownName: If there is no such robot.
        BadConfig: If its `robot.toml` has a mistake or names what the model lacks.
        ModelNotFound: If the model is not on this machine.
        BadModel: If the model cannot be used.
    """
    path = spec_path(name_or_path)
    spec = load_spec(path)
    if spec.model.generated:
        text = human_urdf(adult_size(), model=spec.model.generated)
        urdf = parse_urdf(text, path=path.parent / f"{spec.model.generated}.urdf")
    else:
        urdf = read_model(find_model(spec, folders=folders, download=download))
    return build_robot(spec, urdf, path=path)


def build_robot(spec: RobotSpec, urdf: Urdf, *, path: Path) -> RobotModel:
    """Put a spec and its model together.

    Raises:
        BadConfig: If the spec names what the model lacks.
        BadModel: If the model cannot be used.
    """
    check_names(spec, urdf, path)
    following = resolve_mimics(urdf, _locked(spec))
    kinematics = Kinematics(
        clean_urdf(urdf, locked=following.locked), path=str(urdf.path)
    )
    limits = joint_limits(urdf, kinematics.joints, _stated_limits(spec, urdf))
    limits = keep_followers_inside(limits, kinematics.joints, following.mimics)
    _check_ordered(limits, kinematics, path)
    soles = {side: _sole(sole) for side, sole in spec.soles.items()}
    q = _neutral_joints(spec, kinematics, limits, following)
    neutral = standing(kinematics, q, base=spec.base, soles=soles)
    skeleton = joint_centres(urdf, kinematics, spec.links, neutral, soles)
    body = RobotBody(
        name=spec.name,
        kinematics=kinematics,
        fixed_base=spec.base.fixed,
        links=spec.links,
        limb_directions=skeleton.limb_directions,
        points=skeleton.points,
        neutral=neutral,
        lower=_frozen(limits.lower),
        upper=_frozen(limits.upper),
        velocity=_frozen(limits.velocity),
        couplings=_couplings(spec, kinematics),
        mimics=following.mimics,
        soles=soles,
        hands=spec.hands,
        weights=spec.weights,
    )
    bare = body
    body = replace(body, solids=cache(lambda: robot_solids(urdf, bare)))
    return RobotModel(
        spec=spec,
        path=path,
        urdf=urdf,
        body=body,
        limits=limits,
        locked=following.locked,
    )


def _locked(spec: RobotSpec) -> dict[str, float]:
    return {joint: spec.neutral.get(joint, 0.0) for joint in spec.locked}


def _stated_limits(spec: RobotSpec, urdf: Urdf) -> Mapping[str, LimitSpec]:
    """Return the limits to trust: the file's, and all of a model that we generate."""
    if not spec.model.generated:
        return spec.limits
    own = {
        joint.name: LimitSpec(
            lower=joint.limits.lower,
            upper=joint.limits.upper,
            velocity=joint.limits.velocity,
        )
        for joint in urdf.moving_joints()
    }
    return own | dict(spec.limits)


def _neutral_joints(
    spec: RobotSpec, kinematics: Kinematics, limits: BodyLimits, following: Following
) -> Array:
    """Return the neutral joint positions (n,): inside the limits, followers following.

    What the file states is rounded, so it is clipped without complaint.
    """
    q = np.array([spec.neutral.get(joint, 0.0) for joint in kinematics.joints])
    q = np.clip(q, limits.lower, limits.upper)
    for mimic in following.mimics:
        leader = q[kinematics.index(mimic.leader)]
        q[kinematics.index(mimic.joint)] = mimic.multiplier * leader + mimic.offset
    return q


def _sole(sole: SoleSpec) -> Sole:
    return Sole(
        link=sole.link,
        link_p_sole=_frozen(np.array(sole.position)),
        link_R_sole=_frozen(rotation_from_rpy(sole.rpy)),
        length=sole.length,
        width=sole.width,
    )


def _couplings(spec: RobotSpec, kinematics: Kinematics) -> tuple[Coupling, ...]:
    """Return the couplings between joints that are not locked."""
    return tuple(
        Coupling(
            joints=coupling.joints,
            coefficients=coupling.coefficients,
            lower=coupling.lower,
            upper=coupling.upper,
        )
        for coupling in spec.couplings
        if all(joint in kinematics.joints for joint in coupling.joints)
    )


def _check_ordered(limits: BodyLimits, kinematics: Kinematics, path: Path) -> None:
    for i, joint in enumerate(kinematics.joints):
        if not limits.lower[i] <= limits.upper[i]:
            problem = f"lower {limits.lower[i]} is above upper {limits.upper[i]}"
            raise BadConfig(path, problem, place=f"limits.{joint}")
        if not limits.velocity[i] > 0.0:
            problem = f"velocity {limits.velocity[i]} must be above 0"
            raise BadConfig(path, problem, place=f"limits.{joint}")


def _frozen(values: Array) -> Array:
    values.setflags(write=False)
    return values
