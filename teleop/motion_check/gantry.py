"""A motion on a gantry: the base held, the feet in the air, servos on all joints."""

from __future__ import annotations

import numpy as np
from telexist.retarget.errors import SimulationDiverged
from telexist.retarget.signals import RobotMotion
from telexist.robots.description import RobotModel
from telexist.robots.dynamics import DynamicsModel
from telexist.robots.mujoco import NO_NOISE, Simulation, build_mujoco, hold_gains
from telexist.teleop.controllers.playing import SampledMotion, sample_motion
from telexist.teleop.motion_check.motion_check import CHECK_RATE, MotionCheck
from telexist.teleop.scenarios import OnStep, Trace

__all__ = ["play_on_gantry"]

LOST = 0.35  # [rad] or [m] of a joint from the motion, for
LASTING = 0.1  # [s] longer than it is near: its drive cannot follow


def play_on_gantry(
    robot: RobotModel, motion: RobotMotion, on_step: OnStep | None
) -> MotionCheck:
    """Play a motion with the base held; the run ends where a drive cannot follow."""
    model = DynamicsModel(robot)
    sampled = sample_motion(motion, model.joints, 1.0 / CHECK_RATE)
    simulation = Simulation(build_mujoco(robot, mount="pole"), noise=NO_NOISE)
    trace = Trace()
    try:
        ended_at, reason = _play(trace, model, simulation, sampled, on_step)
    except SimulationDiverged as error:
        ended_at, reason = len(trace.array("time")) / CHECK_RATE, str(error)
    return MotionCheck(
        robot=robot,
        motion=motion,
        joints=model.joints,
        effort=model.actuators.effort,
        gantry=True,
        length=float(sampled.time[-1]),
        trace=trace,
        ended_at=ended_at,
        reason=reason,
        causes=(),
    )


def _play(
    trace: Trace,
    model: DynamicsModel,
    simulation: Simulation,
    sampled: SampledMotion,
    on_step: OnStep | None,
) -> tuple[float | None, str]:
    kp, kd = hold_gains(model.actuators.effort)
    world_R_base = simulation.mujoco_model.robot.body.neutral.world_R_base
    lost = np.zeros(model.n)
    simulation.start_moving(sampled.state(0))
    for k, time in enumerate(sampled.time):
        body = simulation.true_state()
        away = np.abs(sampled.q[k] - body.q)
        lost += np.where(away > LOST, 1.0, -1.0) / CHECK_RATE
        lost = np.maximum(lost, 0.0)
        if lost.max() > LASTING:
            i = int(np.argmax(lost))
            return float(time), f"{model.joints[i]} is {away[i]:.2f} rad behind"
        # weight and inertia ahead of the servos: q is what is wanted, not what is
        inertia = simulation.model.dof_M0[simulation.mujoco_model.dof_of_joints]
        tau = model.weight_torques(sampled.q[k], world_R_base)
        tau = tau + inertia[: model.n] * sampled.ddq[k]
        simulation.set_servos(sampled.q[k], kp=kp, kd=kd, dq=sampled.dq[k], tau=tau)
        simulation.advance(1.0 / CHECK_RATE)
        trace.append(
            time=float(time),
            q=body.q,
            q_wanted=sampled.q[k],
            tau=simulation.applied_torques()[: model.n],
        )
        if on_step is not None:
            on_step(simulation, float(time))
    return None, ""
