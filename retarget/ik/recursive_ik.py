"""The dynamical IK step as one compiled call, exact and O(n) in the joints.

Does what `ReferenceIk` does, without Jacobians and without a QP solver: see
`retarget/ik/articulated.py` for the recursion and `retarget/ik/bounded.py` for the
limits. The robot is laid out as records once; a step writes its targets into them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from telexist.retarget.compiled import jit_internal, jit_release_gil
from telexist.retarget.errors import BadInput, QpFailed
from telexist.retarget.ik.limits import StepBounds
from telexist.retarget.ik.mechanism import Mechanism, make_mechanism
from telexist.retarget.ik.recursive_step import step_recursively, take_limits, take_step
from telexist.retarget.ik.settings import IkSettings
from telexist.retarget.ik.targets import Targets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["RecursiveIk", "step_towards", "take_step_towards"]


@jit_internal
def take_step_towards(
    parts: tuple[Any, ...], rotations: Array, places: Array, dt: float
) -> bool:
    """Move base and joints towards new targets, in place, in one step of dt.

    The leanest call from Python: numba takes a plain tuple in half the time of a named
    one, and targets as they come faster than fields of records are written.

    Args:
        parts: A `Mechanism` as a plain tuple.
        rotations: Wanted orientations of its bodies (k, 3, 3).
        places: Wanted places of its points (m, 3) [m].
        dt: Length of the step [s].

    Returns:
        Whether every constrained problem on the way was solved.
    """
    m = Mechanism(
        parts[0],
        parts[1],
        parts[2],
        parts[3],
        parts[4],
        parts[5],
        parts[6],
        parts[7],
        parts[8],
        parts[9],
        parts[10],
        parts[11],
        parts[12],
    )
    for k in range(len(m.orientations)):
        for r in range(3):
            for c in range(3):
                m.orientations[k].rotation[r, c] = rotations[k, r, c]
    for k in range(len(m.points)):
        for r in range(3):
            m.points[k].goal[r] = places[k, r]
    take_limits(m, dt)
    return take_step(m, dt)


@jit_release_gil
def step_towards(
    parts: tuple[Any, ...], rotations: Array, places: Array, dt: float
) -> bool:
    """Do what `take_step_towards` does, for Python."""
    return take_step_towards(parts, rotations, places, dt)


class RecursiveIk:
    """Moves one robot towards targets, step by step, inside its limits."""

    def __init__(self, body: RobotBody, settings: IkSettings | None = None) -> None:
        """Prepare the solver for a robot."""
        self.settings = settings or IkSettings()
        self._body = body
        self._layout: _Layout | None = None

    def step(
        self,
        start: Configuration,
        targets: Targets,
        dt: float,
        *,
        bounds: StepBounds | None = None,
    ) -> Configuration:
        """Move from `start` towards the targets in one step of dt.

        Args:
            start: Configuration at the start of the step.
            targets: Wanted at the end of the step.
            dt: Length of the step [s].
            bounds: Displacement allowed to the joints; from the limits if None.

        Returns:
            Configuration at the end of the step, inside all limits.

        Raises:
            BadInput: If the start or a target is not finite.
            QpFailed: If the limits contradict each other.
        """
        self.require_finite(start, targets)
        mechanism = self.prepare(targets)
        bodies = mechanism.bodies
        bodies[0]["R"], bodies[0]["p"] = start.world_R_base, start.world_p_base
        bodies["q"][1:] = start.q
        if bounds is None:
            orientations, points = mechanism.orientations, mechanism.points
            solved = step_towards(
                tuple(mechanism),
                np.ascontiguousarray(orientations["rotation"]),
                np.ascontiguousarray(points["goal"]),
                dt,
            )
        else:
            bodies["low"][1:], bodies["high"][1:] = bounds.lower, bounds.upper
            solved = step_recursively(mechanism, dt)
        if not solved:
            raise QpFailed("the active set of a step did not settle")
        return Configuration(
            world_p_base=bodies[0]["p"].copy(),
            world_R_base=bodies[0]["R"].copy(),
            q=bodies["q"][1:].copy(),
        )

    @staticmethod
    def require_finite(start: Configuration, targets: Targets) -> None:
        """Refuse a start or targets with numbers that are none.

        Raises:
            BadInput: If one is not finite.
        """
        wanted = targets.orientations
        arrays = [start.q, start.world_p_base, start.world_R_base, wanted.world_R_link]
        arrays += [wanted.angular_velocities, wanted.axes, wanted.weights]
        arrays += [point.world_p_goal for point in targets.points]
        arrays += [point.link_p_point for point in targets.points]
        arrays += [point.weights for point in targets.points]
        arrays += [guard.link_p_points for guard in targets.floor]
        if not all(np.isfinite(array).all() for array in arrays):
            raise BadInput("the start or a target of an IK step is not finite")

    def prepare(self, targets: Targets) -> Mechanism:
        """Return the robot as records, with these targets on its bodies.

        The same records come back until the targets are on other links. Whoever keeps
        them may call `step_towards` with further targets on the same links.
        """
        frames = _frames(targets)
        if self._layout is None or self._layout.frames != frames:
            self._layout = _lay_out(self._body, self.settings, targets)
        self._layout.write(targets)
        return self._layout.mechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """A mechanism whose targets are on certain links.

    Attributes:
        frames: Those links: of orientations, of points, of floor points.
        mechanism: The records.
        body_R_link: Of the orientations (k, 3, 3).
        point_R: `body_R_link` of the points (m, 3, 3).
        point_p: `body_p_link` of the points (m, 3) [m].
        floor_R: `body_R_link` of the floor points (f, 3, 3).
        floor_p: `body_p_link` of the floor points (f, 3) [m].
    """

    frames: tuple[tuple[int, ...], ...]
    mechanism: Mechanism
    body_R_link: Array
    point_R: Array
    point_p: Array
    floor_R: Array
    floor_p: Array

    def write(self, targets: Targets) -> None:
        """Put targets on the bodies that carry their links."""
        wanted, records = targets.orientations, self.mechanism.orientations
        link_R_body = np.swapaxes(self.body_R_link, -1, -2)
        records["rotation"] = wanted.world_R_link @ link_R_body
        records["velocity"] = wanted.angular_velocities
        records["weight"] = (wanted.axes * wanted.weights[:, None, :]) @ np.swapaxes(
            wanted.axes, -1, -2
        )
        if targets.points:
            points = self.mechanism.points
            places = np.array([point.link_p_point for point in targets.points])
            points["point"] = _on_body(self.point_R, self.point_p, places)
            points["goal"] = [point.world_p_goal for point in targets.points]
            points["weight"] = [point.weights for point in targets.points]
        if targets.floor:
            places = np.concatenate([guard.link_p_points for guard in targets.floor])
            spots = _on_body(self.floor_R, self.floor_p, places)
            self.mechanism.floor["point"] = spots


def _on_body(body_R_link: Array, body_p_link: Array, link_p_point: Array) -> Array:
    return body_p_link + (body_R_link @ link_p_point[:, :, None])[:, :, 0]


def _frames(targets: Targets) -> tuple[tuple[int, ...], ...]:
    """Return the links of all orientations, points and floor points."""
    return (
        targets.orientations.frames,
        tuple(point.frame for point in targets.points),
        tuple(
            guard.frame
            for guard in targets.floor
            for _ in range(len(guard.link_p_points))
        ),
    )


def _lay_out(body: RobotBody, settings: IkSettings, targets: Targets) -> _Layout:
    frames = _frames(targets)
    orientations, points, floor = frames
    mechanism = make_mechanism(
        body,
        settings,
        orientations=len(orientations),
        points=len(points),
        floor=len(floor),
    )
    placements = []
    for records, links in zip(
        (mechanism.orientations, mechanism.points, mechanism.floor), frames, strict=True
    ):
        carried = [body.kinematics.attachment(link) for link in links]
        records["body"] = [carrier for carrier, _, _ in carried]
        rotations = np.array([R for _, R, _ in carried]).reshape(-1, 3, 3)
        places = np.array([p for _, _, p in carried]).reshape(-1, 3)
        placements.append((rotations, places))
    return _Layout(
        frames=frames,
        mechanism=mechanism,
        body_R_link=placements[0][0],
        point_R=placements[1][0],
        point_p=placements[1][1],
        floor_R=placements[2][0],
        floor_p=placements[2][1],
    )
