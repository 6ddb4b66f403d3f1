"""A robot, its targets and the solver's memory as records, for compiled code.

Compiled functions get one `Mechanism`. Its records keep everything about one body, one
target or one coupling together, so that the recursions read as they are written on
paper: `own.inertia`, `onto.force`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import Ints, Records
from telexist.retarget.distance import Nearness, lay_out_solids
from telexist.retarget.ik.joint_roles import JointRoles
from telexist.retarget.ik.settings import IkSettings
from telexist.retarget.kinematics import Kinematics
from telexist.retarget.link_hull import Solids
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["FREE", "HELD", "LOWER", "UPPER", "Mechanism", "make_mechanism"]

LOWER, FREE, UPPER, HELD = -1, 0, 1, 2
"""Status of a joint in the solver: on a bound, free, or not to move at all."""

GIVE = 1e-11  # [rad] by which a coupling gives per unit of force: never infeasible
DISTANCE_GIVE = 1e-6  # [m] the same of a distance: it yields to couplings and limits
DISTANCES = 24  # most that are looked after in a step: the nearest
SPOTS = 64  # most corners of solids that are kept off the floor

BODY = np.dtype(
    [
        # the model: body 0 is the base, every other body is moved by a joint of its own
        ("parent", "i8"),  # body that carries the joint
        ("rest_R", "f8", (3, 3)),  # orientation on the parent at q = 0
        ("rest_p", "f8", (3,)),  # place on the parent at q = 0 [m]
        ("axis", "f8", (3,)),  # of the joint, own axes
        ("slides", "i8"),  # whether the joint is prismatic
        ("ball", "i8"),  # 1, 2, 3: this is x, y, z of a ball joint; else 0
        ("held", "i8"),  # whether the joint never moves within a step
        ("lower", "f8"),  # position limits
        ("upper", "f8"),
        ("velocity", "f8"),  # speed limit
        ("neutral", "f8"),  # posture of the joint at rest
        ("leader", "i8"),  # body of the joint that this one follows, or -1
        ("multiplier", "f8"),
        ("offset", "f8"),
        # where it is
        ("q", "f8"),  # of a ball joint: an entry of its rotation vector
        ("last_q", "f8"),  # at the last frame
        ("R", "f8", (3, 3)),  # orientation in the world
        ("p", "f8", (3,)),  # place in the world [m]
        ("S", "f8", (6,)),  # motion of the joint at the base's origin
        ("goal", "f8"),  # posture to which the joint is drawn
        ("stiffness", "f8"),  # weight of that
        ("limb_damping", "f8"),  # damping of the joint, beside that of all
        # one linearised step
        ("low", "f8"),  # displacement that is left to the joint
        ("high", "f8"),
        ("weight", "f8", (6, 6)),  # of the targets on this body
        ("wrench", "f8", (6,)),  # of the targets on this body
        ("tau", "f8"),  # force on the joint
        ("damping", "f8"),
        ("status", "i8"),
        ("inertia", "f8", (6, 6)),  # articulated
        ("force", "f8", (6,)),  # articulated
        ("U", "f8", (6,)),
        ("D", "f8"),  # inertia along the joint
        ("inverse_D", "f8"),  # 1 / D of a free joint, else 0
        ("x", "f8"),  # displacement of the joint
        ("motion", "f8", (6,)),  # displacement of the body
        ("slope", "f8"),  # of the cost along a joint that is not free
        # put aside while the recursion answers another question
        ("kept_x", "f8"),
        ("kept_tau", "f8"),
        ("kept", "f8", (6,)),
        ("path", "f8"),  # x on a straight way, see `descent.py`
    ],
    align=True,
)
"""A body and the joint that moves it. Spatial vectors are (angular, linear)."""

ROW = np.dtype(
    [
        ("lower", "f8"),
        ("upper", "f8"),
        ("speed", "f8"),
        ("low", "f8"),  # displacement that is left
        ("high", "f8"),
        ("status", "i8"),
        ("mu", "f8"),  # multiplier
        ("gap", "f8"),  # by which the sum is beyond its limit, then what closes it
        ("path", "f8"),  # the sum on a straight way, see `descent.py`
        ("give", "f8"),  # by which it gives per unit of force: never infeasible
        # of a distance alone, which comes after the couplings: two bodies, and the
        # points of them that may come no nearer
        ("one", "i8"),
        ("other", "i8"),
        ("way", "f8", (3,)),  # unit vector from one to the other, in the world
        ("place_one", "f8", (3,)),  # on the bodies [m]
        ("place_other", "f8", (3,)),
        ("arm", "f8", (3,)),  # to the places from the base's origin, world axes
        ("other_arm", "f8", (3,)),
        ("roundness", "f8"),  # sum of the solids' radii [m]
        ("left", "f8"),  # distance that must be left at the end of the step [m]
        ("excess", "f8"),  # how far it was beyond the least [m]
        ("pair", "i8"),  # where it comes from
        ("part", "i8"),
    ],
    align=True,
)
"""A coupling, limits on a sum of joints; or a distance, a limit on an approach."""

ORIENTATION = np.dtype(
    [
        ("body", "i8"),
        ("rotation", "f8", (3, 3)),  # wanted, in the world
        ("velocity", "f8", (3,)),  # at which it turns over the step [rad/s]
        ("weight", "f8", (3, 3)),  # world axes
        ("leftover", "f8", (3,)),  # error that may be left at the end of the step
        ("error", "f8", (3,)),  # error to be corrected
        ("K", "f8", (3, 3)),  # how the body's turning lowers it
    ],
    align=True,
)
"""An orientation target."""

POINT = np.dtype(
    [
        ("body", "i8"),
        ("point", "f8", (3,)),  # on the body [m]
        ("goal", "f8", (3,)),  # in the world [m]
        ("weight", "f8", (3,)),  # along world axes
        ("arm", "f8", (3,)),  # to the point from the base's origin, world axes
        ("error", "f8", (3,)),  # error to be corrected
    ],
    align=True,
)
"""A point target."""

FLOOR = np.dtype(
    [
        ("body", "i8"),
        ("point", "f8", (3,)),  # on the body [m]
        ("radius", "f8"),  # of the ball around it that must stay above [m]
        ("world", "f8", (3,)),  # where the ball is lowest, in the world [m]
        ("arm", "f8", (3,)),  # to the point from the base's origin, world axes
        ("pushes", "i8"),
        ("path", "f8"),  # height on a straight way, see `descent.py`
    ],
    align=True,
)
"""A point, or the ball around it, that must not sink below the floor."""

SOLVER = np.dtype(
    [
        ("fixed", "i8"),  # whether the base is bolted down
        ("gain", "f8"),
        ("damping", "f8"),
        ("floor_weight", "f8"),
        ("iterations", "i8"),
        ("tolerance", "f8"),
        ("guarded", "i8"),  # whether solids keep away from each other and the floor
        ("near", "i8"),  # number of distances among the rows
        ("spots", "i8"),  # number of points at the floor
        ("fixed_spots", "i8"),  # of them those that are always there
        ("pushing", "i8"),  # number of active rows
        ("base_factor", "f8", (6, 6)),  # Cholesky, of its articulated inertia
        # room for intermediate results, so that nothing is allocated
        ("A", "f8", (3, 3)),
        ("B", "f8", (3, 3)),
        ("e", "f8", (3,)),
    ],
    align=True,
)
"""Settings of the solver, and room for its work."""


class Mechanism(NamedTuple):
    """Everything one compiled step works on; changed in place.

    Attributes:
        bodies: `BODY` (n + 1,).
        orientations: `ORIENTATION` (k,).
        points: `POINT` (m,).
        floor: `FLOOR` (f,): those always there, then room for solids near the floor.
        rows: `ROW` (c + d,): couplings, then room for distances.
        A: Coefficients of the rows over the joints (c, n).
        row_x: How the joints answer a unit force along each row (c + d, n).
        row_motion: How the bodies answer (c + d, n + 1, 6).
        row_slope: Slope of that answer along joints that are not free (c + d, n).
        dual: Matrix of the active rows' dual problem, then its Cholesky factor
            (c + d, c + d).
        solver: `SOLVER` (1,).
        active: Numbers of the active rows (c + d,).
        near: The solids that keep away from each other.
    """

    bodies: Records
    orientations: Records
    points: Records
    floor: Records
    rows: Records
    A: Array
    row_x: Array
    row_motion: Array
    row_slope: Array
    dual: Array
    solver: Records
    active: Ints
    near: Nearness


def make_mechanism(
    body: RobotBody,
    settings: IkSettings,
    *,
    orientations: int,
    points: int,
    floor: int,
    near: Nearness | None = None,
) -> Mechanism:
    """Lay a robot out as records.

    Args:
        body: The robot.
        settings: Of the solver.
        orientations: Number of orientation targets.
        points: Number of point targets.
        floor: Number of points that must stay above the floor.
        near: Solids that keep away from each other and the floor; None: none does.
    """
    roles = JointRoles(body)
    n, couplings = body.kinematics.n, len(roles.rows)
    near = near or lay_out_solids((), (), Solids().meetings)
    c = couplings + (DISTANCES if len(near.pairs) else 0)
    bodies = _bodies(body, roles)
    bodies["goal"], bodies["stiffness"] = bodies["neutral"], settings.posture
    rows = np.zeros(c, dtype=ROW)
    coupled = rows[:couplings]
    coupled["lower"], coupled["upper"] = roles.row_lower, roles.row_upper
    coupled["speed"] = roles.row_speed
    rows["give"][:couplings], rows["give"][couplings:] = GIVE, DISTANCE_GIVE
    solver = np.zeros(1, dtype=SOLVER)
    solver["fixed"] = body.fixed_base
    for name in ("gain", "damping", "floor_weight", "iterations", "tolerance"):
        solver[name] = getattr(settings, name)
    solver["guarded"] = 1
    solver["spots"] = solver["fixed_spots"] = floor
    spots = floor + (SPOTS if near.balls["guarded"].any() else 0)
    return Mechanism(
        bodies=bodies,
        orientations=np.zeros(orientations, dtype=ORIENTATION),
        points=np.zeros(points, dtype=POINT),
        floor=np.zeros(spots, dtype=FLOOR),
        rows=rows,
        A=np.ascontiguousarray(roles.rows),
        row_x=np.zeros((c, n)),
        row_motion=np.zeros((c, n + 1, 6)),
        row_slope=np.zeros((c, n)),
        dual=np.zeros((c, c)),
        solver=solver,
        active=np.zeros(c, dtype=np.int64),
        near=near,
    )


def _bodies(body: RobotBody, roles: JointRoles) -> Records:
    kinematics: Kinematics = body.kinematics
    tree = kinematics.tree()
    bodies = np.zeros(kinematics.n + 1, dtype=BODY)
    bodies["R"] = np.eye(3)
    bodies["leader"] = -1
    joints = bodies[1:]
    joints["parent"], joints["axis"] = tree.parent, tree.axis
    joints["rest_R"], joints["rest_p"] = tree.rotation, tree.position
    joints["slides"], joints["ball"] = tree.slides, tree.ball
    joints["held"] = roles.held
    joints["lower"], joints["upper"] = roles.lower, roles.upper
    joints["velocity"], joints["neutral"] = roles.velocity, body.neutral.q
    for mimic in body.mimics:
        record = bodies[1 + kinematics.index(mimic.joint)]
        record["leader"] = 1 + kinematics.index(mimic.leader)
        record["multiplier"], record["offset"] = mimic.multiplier, mimic.offset
    return bodies
