"""Play a motion in MuJoCo, step by step, without a clock."""

from __future__ import annotations

import numpy as np
from telexist.retarget.errors import BadInput, SimulationDiverged
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel
from telexist.robots.dynamics import BodyState
from telexist.robots.mujoco import NO_NOISE, Simulation, build_mujoco
from telexist.teleop.controllers.playing import (
    MotionPlayer,
    PlayedFrame,
    PlayedMotion,
    play_motion,
)
from telexist.teleop.motion_check.fall_causes import fall_causes
from telexist.teleop.motion_check.gantry import play_on_gantry
from telexist.teleop.motion_check.motion_check import CHECK_RATE, MotionCheck
from telexist.teleop.scenarios import OnStep, Trace

__all__ = ["check_motion"]


def check_motion(
    robot: RobotModel,
    motion: RobotMotion,
    *,
    gantry: bool = False,
    on_step: OnStep | None = None,
) -> MotionCheck:
    """Play a motion to its end, or until the robot falls.

    The controller has the robot's true state and a floor as it believes: what is judged
    is the motion.

    Args:
        robot: The robot.
        motion: Of that robot.
        gantry: Whether the base is held and the feet are in the air.
        on_step: Looks at every step, for a video.

    Raises:
        BadInput: If the robot has no two feet (not on a gantry), or the motion is
            another robot's, or too short.
    """
    _check_owner(robot, motion)
    if gantry:
        return play_on_gantry(robot, motion, on_step)
    player = MotionPlayer(robot, rate=CHECK_RATE)
    played = play_motion(player.model, motion, player.period)
    simulation = Simulation(build_mujoco(robot), noise=NO_NOISE)
    simulation.start_moving(played.frames[0].state)
    trace = Trace()
    try:
        ended_at, reason = _play(trace, player, simulation, played, on_step)
    except SimulationDiverged as error:
        ended_at, reason = len(trace.array("time")) * player.period, str(error)
    joints, effort = player.model.joints, player.model.actuators.effort
    return MotionCheck(
        robot=robot,
        motion=motion,
        joints=joints,
        effort=effort,
        gantry=False,
        length=float(played.sampled.time[-1]),
        trace=trace,
        ended_at=ended_at,
        reason=reason,
        causes=() if ended_at is None else fall_causes(trace, joints, effort),
        qp_failures=player.qp.failures,
    )


def _check_owner(robot: RobotModel, motion: RobotMotion) -> None:
    lacking = set(robot.body.kinematics.joints) - set(motion.joint_names)
    if motion.robot != robot.spec.name and lacking:
        raise BadInput(
            f"{motion.source}: a motion of {motion.robot}, which has no "
            f"'{sorted(lacking)[0]}': {robot.spec.name} cannot play it"
        )


def _play(
    trace: Trace,
    player: MotionPlayer,
    simulation: Simulation,
    played: PlayedMotion,
    on_step: OnStep | None,
) -> tuple[float | None, str]:
    """Write the run to the trace; return when and why the robot fell."""
    for k, wanted in enumerate(played.frames):
        time = k * player.period
        body = simulation.true_state()
        tau = player.step(simulation.true_reading(), body, wanted)
        reason = player.fallen(body, wanted)
        if reason:
            return time, reason
        simulation.set_torques(tau)
        simulation.advance(player.period)
        _write(trace, time, player, body, wanted, tau)
        if on_step is not None:
            on_step(simulation, time)
    return None, ""


def _write(
    trace: Trace,
    time: float,
    player: MotionPlayer,
    body: BodyState,
    wanted: PlayedFrame,
    tau: Array,
) -> None:
    seen, place = player.measured, wanted.com.copy()
    place[:2] += player.shift
    trace.append(
        time=time,
        com=seen.com,
        com_wanted=place,
        zmp_outside=wanted.unbalance,
        carries=np.array(wanted.carries),
        load=seen.load,
        sole_speed=np.linalg.norm(seen.sole_v[:, :2], axis=1),
        q=body.q,
        q_wanted=wanted.state.q,
        tau=tau,
    )
