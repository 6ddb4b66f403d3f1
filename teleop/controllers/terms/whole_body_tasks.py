"""What the whole body is asked to do in one control step."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.terms.applied_forces import AppliedForces
from telexist.teleop.controllers.terms.contact_cone import FRICTION

__all__ = ["FootTask", "TaskWeights", "WholeBodyTasks"]


@dataclass(slots=True, kw_only=True)
class FootTask:
    """What one foot does, or a thigh on a seat.

    Attributes:
        load: Greatest vertical force as a share of body weight; 0: the foot is in the
            air, and its acceleration is a goal among others.
        acc: Acceleration asked of the sole's middle (6,), world axes, linear first.
        tips: Whether a foot in the air may tilt when its ankle is at its limit; one
            that is about to land may not.
    """

    load: float = 2.0
    acc: Array = field(default_factory=lambda: np.zeros(6))
    tips: bool = False


@dataclass(slots=True, kw_only=True)
class TaskWeights:
    """How much each goal counts; accelerations in m/s^2 and rad/s^2.

    Attributes:
        com: Horizontal and vertical acceleration of the centre of mass.
        angular: Rate of angular momentum over mass and height.
        stance: Standing feet stay.
        seat: Thighs stay on a seat.
        swing: A foot in the air goes where it should.
        base: Tilting of the base.
        base_yaw: Turning of the base; little, so that the pelvis can take up what the
            swing leg does and the stance foot need not twist on the floor.
        force: Of wrenches, in body weights.
        seat_force: Of those at thighs.
        smooth: Of all accelerations.
    """

    com: float = 1000.0
    angular: float = 30.0
    stance: float = 1e5
    seat: float = 1e4
    swing: float = 60.0
    base: float = 20.0
    base_yaw: float = 2.0
    force: float = 0.3
    seat_force: float = 0.3
    smooth: float = 1e-3


@dataclass(slots=True, kw_only=True)
class WholeBodyTasks:
    """Goals of one step.

    Attributes:
        com_acc: Acceleration of the centre of mass (3,) [m/s^2].
        angular_rate: Rate of angular momentum about it (3,) [N m].
        feet: Left and right.
        base_acc: Angular acceleration of the base, world axes (3,) [rad/s^2].
        joint_acc: Accelerations of the joints (n,) [rad/s^2].
        joint_weight: How much each counts (n,).
        sole_share: Of the soles' size that the centre of pressure may use.
        friction: Coefficient that is trusted.
        weights: How much the other goals count.
        known: Forces that act besides the floor's and the drives'; None for none.
        thighs: Left and right, while they may touch a seat; none otherwise.
    """

    com_acc: Array
    angular_rate: Array
    feet: tuple[FootTask, FootTask]
    base_acc: Array
    joint_acc: Array
    joint_weight: Array
    sole_share: float = 0.9
    friction: float = FRICTION
    weights: TaskWeights = field(default_factory=TaskWeights)
    known: AppliedForces | None = None
    thighs: tuple[FootTask, FootTask] | tuple[()] = ()
