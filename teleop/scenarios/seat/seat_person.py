"""A person who helps a robot up: pulls at its hands, or leads them at an own pace."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from scipy.interpolate import CubicSpline
from telexist.retarget.advance import PathPoint
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import exp_so3
from telexist.robots.mujoco import HandSpring, Push, Simulation
from telexist.teleop.controllers.locomotion import WalkController
from telexist.teleop.scenarios import DIRECTIONS, ScenarioOptions

__all__ = ["START", "hands_way", "let_a_person_help"]

START = 1.0  # [s] when the robot is asked, and the person begins
RAMP = 0.3  # [s] in which a pull grows
LAST = 3600.0  # [s] of a pull that only ends when the person lets go
POINTS = 41  # of the hands' way


def let_a_person_help(
    simulation: Simulation, controller: WalkController, options: ScenarioOptions
) -> None:
    """Have a person pull at both hands, or lead them along the robot's own way.

    Raises:
        BadInput: If the robot has no two hands.
    """
    hands = controller.model.robot.body.hands
    if len(hands) != 2:
        raise BadInput(f"{controller.model.robot.body.name} has no two hands to take")
    if options.pace > 0.0:
        paths, duration = hands_way(controller)
        for hand, path in paths.items():
            simulation.hold_hand(
                HandSpring(
                    hand=hand, path=path, pace=duration / options.pace, start=START
                )
            )
        return
    force = options.pull * np.array(DIRECTIONS[options.direction])
    for hand in hands:
        simulation.push(
            Push(
                world_f=np.concatenate([force, np.zeros(3)]),
                start=START,
                duration=LAST,
                ramp=RAMP,
                hand=hand,
            )
        )


def hands_way(
    controller: WalkController,
) -> tuple[Mapping[str, Callable[[float], PathPoint]], float]:
    """Return where both hands go when the robot stands up alone, and how long [s].

    By the robot's own model, its feet where they stand at first.
    """
    sitting = controller.sitting
    if sitting is None:
        raise BadInput("a robot without a seat does not stand up")
    ways, body = sitting.ways, controller.model.robot.body
    duration = ways.lean.duration + ways.rise.duration
    times, kinematics = np.linspace(0.0, duration, POINTS), body.kinematics
    upright = controller.posture.world_R_base
    places: dict[str, list[np.ndarray]] = {hand: [] for hand in body.hands}
    for time in times:
        on_seat = time <= ways.lean.duration
        psi = time if on_seat else time - ways.lean.duration
        point = (ways.lean if on_seat else ways.rise).at(psi)
        pose = Configuration(
            world_p_base=np.zeros(3),
            world_R_base=exp_so3(np.array([0.0, point.lean[0], 0.0])) @ upright,
            q=point.q[0],
        )
        kinematics.update(pose)
        sole = np.mean(
            [
                kinematics.position(kinematics.frame(s.link))
                + kinematics.rotation(kinematics.frame(s.link)) @ s.link_p_sole
                for s in body.soles.values()
            ],
            axis=0,
        )
        for hand, link in body.hands.items():
            places[hand].append(kinematics.position(kinematics.frame(link)) - sole)
    return {
        hand: _path(times, np.array(found)) for hand, found in places.items()
    }, duration


def _path(times: np.ndarray, places: np.ndarray) -> Callable[[float], PathPoint]:
    spline = CubicSpline(times, places)
    first, second = spline.derivative(), spline.derivative(2)

    def at(psi: float) -> PathPoint:
        inside = min(max(psi, 0.0), float(times[-1]))
        moving = float(math.isclose(psi, inside))
        return PathPoint(
            x=spline(inside), dx=moving * first(inside), d2x=moving * second(inside)
        )

    return at
