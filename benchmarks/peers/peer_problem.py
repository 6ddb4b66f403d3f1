"""The problem on which the IK step is compared with other libraries.

A robot follows sums of sinusoids of its joints and a base that walks and turns, seen as
link orientations and places, one constrained Gauss-Newton step a frame. `free`: all of
it is inside the limits. `tight`: the limits cut a part of every joint's motion off.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.ik import (
    IkSettings,
    Mechanism,
    OrientationTargets,
    PointTarget,
    RecursiveIk,
    Targets,
)
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array, log_so3, rotation_z
from telexist.retarget.tree import Tree

__all__ = [
    "SETTINGS",
    "Case",
    "PeerProblem",
    "Places",
    "bounded_body",
    "make_problem",
    "orientation_error_deg",
    "targets_at",
]

RATE = 60.0  # [Hz]
SETTINGS = IkSettings(gain=1e9, posture=0.0, damping=1e-6, iterations=1)
"""One full Gauss-Newton step a frame: what one step of the peers is."""
AMPLITUDE = 0.6  # [rad] at most: away from the gimbal lock of three revolutes
SHARE = 0.45  # of half a joint's range and of its speed that the motion takes
CUT = 0.7  # share of its greatest amplitude that a motion is left in `tight`
WALK = 0.5  # [m/s] and [rad/s] of the base


class Case(StrEnum):
    """Whether limits become active."""

    FREE = "free"
    TIGHT = "tight"


class Places(StrEnum):
    """Which places are wanted beside the orientations."""

    BASE = "base"
    LIMBS = "limbs"


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerProblem:
    """Everything a contestant needs, as plain arrays: it may live in another program.

    Attributes:
        tree: The robot.
        lower: Position limits (n,).
        upper: Position limits (n,).
        velocity: Speed limits (n,).
        dt: Length of a step [s].
        damping: Weight on the length of a step.
        start_p: Place of the base before the first frame (3,) [m].
        start_R: Orientation of the base (3, 3).
        start_q: Joints (n,).
        oriented_bodies: Bodies with wanted orientations (k,), weight 1 each.
        point_bodies: Bodies whose origin has a wanted place (m,), weight 1 each.
        rotations: Wanted (t, k, 3, 3).
        places: Wanted (t, m, 3) [m].
        mechanism: The robot laid out for the recursive step.
    """

    tree: Tree
    lower: Array
    upper: Array
    velocity: Array
    dt: float
    damping: float
    start_p: Array
    start_R: Array
    start_q: Array
    oriented_bodies: NDArray[np.int64]
    point_bodies: NDArray[np.int64]
    rotations: Array
    places: Array
    mechanism: Mechanism

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.rotations)


def make_problem(
    body: RobotBody, case: Case, places: Places, *, frames: int, seed: int = 0
) -> PeerProblem:
    """Make the problem of a robot.

    Args:
        body: The robot; couplings are left out, for the peers have none.
        case: Whether the limits become active.
        places: Which places are wanted too.
        frames: How many.
        seed: Of the motion.
    """
    q = _joint_motion(body, frames + 1, seed)
    time = np.arange(frames + 1) / RATE
    moved = WALK * np.stack([time, 0.2 * np.sin(time), 0.04 * np.sin(2.0 * time)], 1)
    motion = [
        Configuration(
            world_p_base=body.neutral.world_p_base + moved[k],
            world_R_base=rotation_z(WALK * np.sin(WALK * time[k]))
            @ body.neutral.world_R_base,
            q=q[k],
        )
        for k in range(frames + 1)
    ]
    bounded = bounded_body(body, case, frames=frames, seed=seed)
    wanted = [targets_at(body, places, configuration) for configuration in motion]
    mechanism = RecursiveIk(bounded, SETTINGS).prepare(wanted[0])
    rotations = [_on_bodies(body, targets.orientations) for targets in wanted[1:]]
    goals = [[p.world_p_goal for p in targets.points] for targets in wanted[1:]]
    return PeerProblem(
        tree=body.kinematics.tree(),
        lower=bounded.lower,
        upper=bounded.upper,
        velocity=bounded.velocity,
        dt=1.0 / RATE,
        damping=SETTINGS.damping,
        start_p=motion[0].world_p_base,
        start_R=motion[0].world_R_base,
        start_q=np.clip(q[0], bounded.lower, bounded.upper),
        oriented_bodies=mechanism.orientations["body"].copy(),
        point_bodies=mechanism.points["body"].copy(),
        rotations=np.array(rotations),
        places=np.array(goals),
        mechanism=mechanism,
    )


def bounded_body(body: RobotBody, case: Case, *, frames: int, seed: int) -> RobotBody:
    """Return the robot with the limits of a case, without couplings."""
    free = replace(body, couplings=(), mimics=())
    if case is Case.FREE:
        return free
    q = _joint_motion(body, frames + 1, seed)
    middle = (q.max(axis=0) + q.min(axis=0)) / 2.0
    half = CUT * (q.max(axis=0) - q.min(axis=0)) / 2.0
    return replace(free, lower=middle - half, upper=middle + half)


def targets_at(body: RobotBody, places: Places, at: Configuration) -> Targets:
    """Return the targets that a configuration fulfils, on the bodies' own frames."""
    kinematics = body.kinematics
    kinematics.update(at)
    frames = tuple(kinematics.frame(link) for link in body.links.values())
    k = len(frames)
    links = [kinematics.base]
    if places is Places.LIMBS:
        segments = ("LeftHand", "RightHand", "LeftFoot", "RightFoot")
        links += [body.links[segment] for segment in segments if segment in body.links]
    points = []
    for frame in map(kinematics.frame, links):
        _, body_R_link, body_p_link = kinematics.attachment(frame)
        link_p_body = -body_R_link.T @ body_p_link
        place = kinematics.position(frame) + kinematics.rotation(frame) @ link_p_body
        points.append(
            PointTarget(
                frame=frame,
                link_p_point=link_p_body,
                world_p_goal=place,
                weights=np.ones(3),
            )
        )
    return Targets(
        orientations=OrientationTargets(
            frames=frames,
            world_R_link=kinematics.rotations(frames),
            angular_velocities=np.zeros((k, 3)),
            axes=np.tile(np.eye(3), (k, 1, 1)),
            weights=np.ones((k, 3)),
        ),
        points=tuple(points),
    )


def orientation_error_deg(
    body: RobotBody, problem: PeerProblem, answers: list[Configuration]
) -> Array:
    """Return the mean orientation error of every frame (t,)."""
    errors = np.empty(len(answers))
    frames = [body.kinematics.frame(link) for link in body.links.values()]
    links = [body.kinematics.attachment(frame)[1] for frame in frames]
    for k, answer in enumerate(answers):
        body.kinematics.update(answer)
        bodies = body.kinematics.rotations(frames) @ np.swapaxes(np.array(links), 1, 2)
        apart = log_so3(problem.rotations[k] @ np.swapaxes(bodies, 1, 2))
        errors[k] = np.degrees(np.linalg.norm(apart, axis=-1)).mean()
    return errors


def _joint_motion(body: RobotBody, frames: int, seed: int) -> Array:
    """Return two sinusoids a joint, inside position and speed limits (frames, n)."""
    rng = np.random.default_rng(seed)
    n = body.kinematics.n
    slow, fast = rng.uniform(0.15, 0.6, n), rng.uniform(0.6, 1.1, n)  # [Hz]
    reach = SHARE * (body.upper - body.lower) / 2.0
    quick = SHARE * body.velocity / (2.0 * np.pi * fast)
    amplitude = np.minimum(np.minimum(reach, quick), AMPLITUDE)
    margin = amplitude / SHARE * 0.5
    middle = np.clip(body.neutral.q, body.lower + margin, body.upper - margin)
    time = np.arange(frames)[:, None] / RATE
    phase = rng.uniform(0.0, 2.0 * np.pi, (2, n))
    waves = np.sin(2.0 * np.pi * slow * time + phase[0])
    waves = waves + np.sin(2.0 * np.pi * fast * time + phase[1])
    return middle + 0.5 * amplitude * waves


def _on_bodies(body: RobotBody, wanted: OrientationTargets) -> Array:
    """Return wanted orientations of the bodies that carry the links (k, 3, 3)."""
    links = [body.kinematics.attachment(frame)[1] for frame in wanted.frames]
    return wanted.world_R_link @ np.swapaxes(np.array(links), 1, 2)
