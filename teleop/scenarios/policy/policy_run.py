"""Run a scenario with a learned policy, step by step, without a clock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadInput, SimulationDiverged
from telexist.robots.description import RobotModel
from telexist.robots.mujoco import Simulation
from telexist.teleop import clock
from telexist.teleop.controllers.policy import (
    PolicyController,
    policy_of_word,
    policy_robot,
)
from telexist.teleop.scenarios import (
    OnStep,
    ScenarioOptions,
    Script,
    TimedOnStep,
    Trace,
    read_world,
    script_of,
    world_of,
)
from telexist.teleop.scenarios.policy.shown_motion import ShownMotion
from telexist.teleop.terms import ControllerEvent, ControllerEventKind, RobotReference

__all__ = ["PolicyRun", "run_policy"]

MOST_RANDOM = np.array([0.5, 0.3, 0.5])  # [m/s], [rad/s] of a random walk
LOW = 0.6  # of the height that is asked of the base: the robot lies
WALKS = ("walk", "turn", "three-stages", "random-walk")
NAMES = ("stand", "push", "follow", *WALKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRun:
    """A scenario that a policy has run.

    Attributes:
        options: What was asked.
        robot: The robot.
        controller: After the run.
        script: What operator and world did.
        trace: What happened, until a fall.
        past_limit: Farthest that a joint was past its limit [rad].
        fell_at: When the robot fell [s], or None.
        fall_reason: Why; "" if it did not.
        wall: Time that simulation and control took [s].
    """

    options: ScenarioOptions
    robot: RobotModel
    controller: PolicyController
    script: Script
    trace: Trace
    past_limit: float
    fell_at: float | None
    fall_reason: str
    wall: float


def run_policy(
    options: ScenarioOptions,
    *,
    folders: Iterable[str | Path] = (),
    on_step: OnStep | None = None,
) -> PolicyRun:
    """Run a scenario to its end, to that of a recording, or until the robot falls.

    Args:
        options: What to run; its `controller` is "policy:FILE".
        folders: Where the user keeps models.
        on_step: Looks at every step, for a video; its time does not count.

    Raises:
        BadInput: If policy, robot and scenario do not fit each other.
        MissingDependency: Without onnxruntime.
        ModelNotFound: If the robot's model is not on this machine.
    """
    policy = policy_of_word(options.controller)
    if policy is None:
        raise BadInput(f"--controller '{options.controller}' is no policy:FILE")
    _check_scenario(options, walks=policy.walks, tracks=policy.tracks)
    robot = policy_robot(policy, options.robot, folders)
    controller = PolicyController(
        robot, policy, rate=options.control_rate, true_base=options.true_base
    )
    options = replace(options, robot=robot.spec.name)
    shown = ShownMotion(robot, controller.posture, options.clip, controller.period)
    if options.clip:
        options = replace(options, duration=min(options.duration, shown.length))
    simulation = world_of(robot, options)
    simulation.reset(controller.posture)
    weight = simulation.weight
    highest = np.minimum(0.8 * policy.highest, MOST_RANDOM)
    script = script_of(options, weight, limits=highest)
    for push in script.pushes:
        simulation.push(push)
    watcher, start = TimedOnStep(on_step), clock.now()
    trace = Trace()
    fell_at = _run(trace, controller, simulation, script, shown, watcher)
    falls = [e.text for _, e in trace.events if e.kind is ControllerEventKind.FALL]
    return PolicyRun(
        options=options,
        robot=robot,
        controller=controller,
        script=script,
        trace=trace,
        past_limit=float(simulation.extremes.past_limit.max()),
        fell_at=fell_at,
        fall_reason="" if fell_at is None else falls[-1],
        wall=clock.now() - start - watcher.took,
    )


def _check_scenario(options: ScenarioOptions, *, walks: bool, tracks: bool) -> None:
    name = options.name
    if name not in NAMES:
        raise BadInput(f"a policy runs {', '.join(NAMES)}; not '{name}'")
    if name in WALKS and not walks:
        raise BadInput(f"'{name}': this policy knows no walking commands; use follow")
    if name == "follow" and not tracks:
        raise BadInput("'follow': this policy tracks no motion; use walk")


def _run(
    trace: Trace,
    controller: PolicyController,
    simulation: Simulation,
    script: Script,
    shown: ShownMotion,
    watcher: OnStep,
) -> float | None:
    """Write the run to the trace; return when the robot fell [s], or None."""
    options, period = script.options, controller.period
    controller.reset(read_world(simulation, true_base=options.true_base))
    for i in range(round(options.duration / period)):
        time = i * period
        state = read_world(simulation, true_base=options.true_base)
        reference = shown.at(time, script.command(time))
        asked, begin = controller.asked, clock.now()
        command = controller.step(state, reference, period)
        tick = clock.now() - begin
        trace.events += [(time, event) for event in controller.report().events]
        if controller.mode == "fallen":
            return time
        if command.gains is not None:
            simulation.set_servos(
                command.q,
                kp=command.gains.kp,
                kd=command.gains.kd,
                dq=command.dq,
                tau=command.torques,
            )
        try:
            simulation.advance(period)
        except SimulationDiverged as error:
            _fall(trace, time, str(error))
            return time
        _write(trace, time, simulation, reference, tick, controller.asked > asked)
        height = float(simulation.true_state().world_p_base[2])
        if height < LOW * _asked_height(controller, reference):
            _fall(trace, time, f"the base is at {height:.2f} m")
            return time
        watcher(simulation, time)
    return None


def _asked_height(controller: PolicyController, reference: RobotReference) -> float:
    if controller.policy.tracks and reference.base is not None:
        return float(reference.base.world_p_base[2])
    return float(controller.posture.world_p_base[2])


def _fall(trace: Trace, time: float, text: str) -> None:
    trace.events.append((time, ControllerEvent(ControllerEventKind.FALL, text)))


def _write(
    trace: Trace,
    time: float,
    simulation: Simulation,
    reference: RobotReference,
    tick: float,
    asked: bool,
) -> None:
    true = simulation.true_state()
    base = reference.base
    trace.append(
        time=time,
        base=true.world_p_base,
        base_R=true.world_R_base,
        q=true.q,
        q_wanted=reference.q,
        base_wanted=true.world_p_base if base is None else base.world_p_base,
        tau=simulation.applied_torques()[: len(true.q)],
        tick=tick,
        asked=asked,
    )
