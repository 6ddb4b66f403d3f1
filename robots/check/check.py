"""Check a robot: whether its `robot.toml` and its model tell the same story."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.segments import PARENT
from telexist.robots.check.finding import CheckReport, Finding
from telexist.robots.check.posture import check_posture
from telexist.robots.check.soles import check_soles
from telexist.robots.description import RobotModel, load_robot
from telexist.robots.urdf import missing_meshes

__all__ = ["check_loaded", "check_robot"]

ROUNDING = 1e-3  # [rad] or [m] by which a stated neutral position may miss a limit


def check_robot(
    name_or_path: str | Path, folders: Iterable[str | Path] = ()
) -> CheckReport:
    """Check a robot.

    Args:
        name_or_path: Name of a shipped robot, a `robot.toml` or its folder.
        folders: Where the user keeps models.

    Returns:
        All findings; a robot that cannot be loaded has one, an error.

    Raises:
        ModelNotFound: If the model is not on this machine.
    """
    try:
        robot = load_robot(name_or_path, folders)
    except BadInput as error:
        finding = Finding(level="error", subject="load", text=str(error))
        return CheckReport(robot=str(name_or_path), findings=(finding,))
    return check_loaded(robot)


def check_loaded(robot: RobotModel) -> CheckReport:
    """Check a robot that is loaded."""
    findings = (
        *_model(robot),
        *_links(robot),
        *_limits(robot),
        *_neutral(robot),
        *_ties(robot),
        *_grips(robot),
        *check_posture(robot),
        *check_soles(robot),
    )
    return CheckReport(robot=robot.spec.name, findings=findings)


def _model(robot: RobotModel) -> Iterator[Finding]:
    joints = robot.body.kinematics.n
    text = f"{joints} joints, {len(robot.locked)} locked, {robot.urdf.mass:.1f} kg"
    yield Finding(level="ok", subject="model", text=text)
    for note in robot.urdf.notes:
        yield Finding(level="warning", subject="model", text=note)
    missing = missing_meshes(robot.urdf)
    if missing:
        text = f"{len(missing)} mesh files are missing, the first: {missing[0]}"
        yield Finding(level="warning", subject="meshes", text=text)


def _links(robot: RobotModel) -> Iterator[Finding]:
    """Check that no segment shares its link, and each moves against the one before."""
    body = robot.body
    seen: dict[str, str] = {}
    for segment, link in body.links.items():
        if link in seen:
            text = f"{segment} and {seen[link]} are the same link {link}"
            yield Finding(level="error", subject="links", text=text)
        elif not _moves(robot, segment):
            text = f"{segment}: {link} has no joint of its own"
            yield Finding(level="error", subject="links", text=text)
        seen[link] = segment
    text = f"{len(body.links)} segments have a link"
    yield Finding(level="ok", subject="links", text=text)


def _moves(robot: RobotModel, segment: str) -> bool:
    body = robot.body
    parent = PARENT[segment]
    while parent is not None and parent not in body.links:
        parent = PARENT[parent]
    if parent is None:
        return True
    frames = [body.kinematics.frame(body.links[s]) for s in (segment, parent)]
    one, other = (body.kinematics.support(frame) for frame in frames)
    return bool(np.any(one ^ other))


def _limits(robot: RobotModel) -> Iterator[Finding]:
    for names, what in (
        (robot.limits.default_position, "position limits"),
        (robot.limits.default_velocity, "a velocity limit"),
    ):
        if names:
            some = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
            text = f"{len(names)} joints have no {what} and got a default: {some}"
            yield Finding(level="warning", subject="limits", text=text)
    body = robot.body
    locked = np.flatnonzero(body.upper - body.lower < ROUNDING)
    for i in locked:
        text = f"{body.kinematics.joints[i]} cannot move: name it in 'locked'"
        yield Finding(level="warning", subject="limits", text=text)
    slowest, fastest = float(body.velocity.min()), float(body.velocity.max())
    text = f"velocities from {slowest:.3g} to {fastest:.3g}"
    yield Finding(level="ok", subject="limits", text=text)


def _neutral(robot: RobotModel) -> Iterator[Finding]:
    """Check that the stated neutral positions lie inside the limits."""
    body = robot.body
    outside = False
    for joint, stated in robot.spec.neutral.items():
        if joint not in body.kinematics.joints:
            continue
        taken = body.neutral.q[body.kinematics.index(joint)]
        if abs(stated - taken) > ROUNDING:
            outside = True
            text = f"{joint} = {stated} is outside the limits; {taken:.4f} is taken"
            yield Finding(level="error", subject="neutral", text=text)
    if not outside:
        yield Finding(level="ok", subject="neutral", text="inside the limits")


def _ties(robot: RobotModel) -> Iterator[Finding]:
    """Check that couplings hold in the neutral posture and followers can follow."""
    body = robot.body
    joints = body.kinematics.joints
    q = dict(zip(joints, body.neutral.q, strict=True))
    for coupling in body.couplings:
        pairs = zip(coupling.joints, coupling.coefficients, strict=True)
        value = sum(c * q[joint] for joint, c in pairs)
        if not coupling.lower <= value <= coupling.upper:
            text = f"of {', '.join(coupling.joints)} is broken in the neutral posture"
            yield Finding(level="error", subject="coupling", text=text)
    for mimic in body.mimics:
        follower = robot.urdf.joints[mimic.joint].limits
        position = q[mimic.joint]
        low = -np.inf if follower.lower is None else follower.lower
        high = np.inf if follower.upper is None else follower.upper
        if not low - ROUNDING <= position <= high + ROUNDING:
            text = f"{mimic.joint} leaves its limits when it follows {mimic.leader}"
            yield Finding(level="error", subject="mimic", text=text)
    if body.couplings or body.mimics:
        text = f"{len(body.couplings)} couplings, {len(body.mimics)} followers"
        yield Finding(level="ok", subject="ties", text=text)


def _grips(robot: RobotModel) -> Iterator[Finding]:
    """Check that open and closed hands lie inside the joints' limits."""
    count = 0
    for grip in robot.spec.grips.values():
        for joint, ends in grip.items():
            limits = robot.urdf.joints[joint].limits
            low = -np.inf if limits.lower is None else limits.lower
            high = np.inf if limits.upper is None else limits.upper
            if min(ends) < low - ROUNDING or max(ends) > high + ROUNDING:
                text = f"{joint} leaves its limits between {ends[0]} and {ends[1]}"
                yield Finding(level="error", subject="grips", text=text)
            count += 1
    if count:
        yield Finding(level="ok", subject="grips", text=f"{count} finger joints")
