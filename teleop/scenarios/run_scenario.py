"""Run a scenario: a controller and a simulated robot, step by step, without a clock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.errors import SimulationDiverged
from telexist.robots.description import RobotModel, load_robot
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import DynamicsModel
from telexist.robots.mujoco import (
    ModelAgreement,
    Simulation,
    model_agreement,
)
from telexist.teleop import clock
from telexist.teleop.controllers.locomotion import WalkController
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.scenarios.clip import ClipPartner
from telexist.teleop.scenarios.on_step import OnStep, TimedOnStep
from telexist.teleop.scenarios.options import ScenarioOptions
from telexist.teleop.scenarios.own_steps import REST, WalkedRecording
from telexist.teleop.scenarios.safe_fall import fall_down
from telexist.teleop.scenarios.script import Script, script_of
from telexist.teleop.scenarios.trace import Trace, TrueBalance
from telexist.teleop.scenarios.upper_body import Recording, UpperBody, make_upper_body
from telexist.teleop.scenarios.world import HandTouchSense, read_world, world_of
from telexist.teleop.terms import (
    ControllerEvent,
    ControllerEventKind,
    RobotReference,
)

__all__ = ["OnStep", "ScenarioRun", "run_scenario"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioRun:
    """A scenario that has been run.

    Attributes:
        options: What was asked.
        robot: The robot.
        controller: After the run.
        script: What operator and world did.
        upper: What the operator's body did.
        trace: What happened, until a fall.
        fall: What happened after it.
        past_limit: Farthest that a joint was past its limit before a fall [rad].
        speed_share: Fastest joint over its limit, likewise.
        fell_at: When the robot fell or its physics broke down [s], or None.
        fall_reason: Why; "" if it did not.
        wall: Time that simulation and control took [s].
        agreement: Of the controller's model with the simulator's, at the run's end.
    """

    options: ScenarioOptions
    robot: RobotModel
    controller: WalkController
    script: Script
    upper: UpperBody
    trace: Trace
    fall: Trace
    past_limit: float
    speed_share: float
    fell_at: float | None
    fall_reason: str
    wall: float
    agreement: ModelAgreement


def run_scenario(
    options: ScenarioOptions,
    *,
    folders: Iterable[str | Path] = (),
    on_step: OnStep | None = None,
) -> ScenarioRun:
    """Run a scenario to its end, or until a robot that fell lies.

    Args:
        options: What to run.
        folders: Where the user keeps models.
        on_step: Looks at every step, for a video; its time does not count.

    Raises:
        BadInput: If the robot has no feet.
        ModelNotFound: If its model is not on this machine.
    """
    robot = load_robot(options.robot, folders)
    controller = WalkController(
        robot, rate=options.control_rate, true_base=options.true_base
    )
    simulation = world_of(robot, options)
    simulation.reset(controller.posture)
    weight = controller.model.mass * GRAVITY
    script = script_of(options, weight, limits=walk_limits(controller.parameters))
    for push in script.pushes:
        simulation.push(push)
    arms = np.array([g == "arms" for g in controller.model.actuators.groups])
    upper = _upper_body(robot, controller.posture.q, arms, options)
    trace, fall, watcher = Trace(), Trace(), TimedOnStep(on_step)
    start = clock.now()
    try:
        fell_at = _run(trace, controller, simulation, script, upper, watcher)
    except SimulationDiverged as error:
        fell_at = len(trace.array("time")) * controller.period
        fall_event = ControllerEvent(ControllerEventKind.FALL, str(error))
        trace.events.append((fell_at, fall_event))
    past, fast = simulation.extremes.past_limit, simulation.extremes.speed_share
    past_limit, speed_share = float(past.max()), float(fast.max())
    wall = clock.now() - start - watcher.took
    agreement = model_agreement(
        simulation.mujoco_model, DynamicsModel(robot), simulation.true_state()
    )
    if fell_at is not None and controller.mode == "fallen":
        fall = fall_down(controller, simulation, fell_at, watcher)
    return ScenarioRun(
        options=options,
        robot=robot,
        controller=controller,
        script=script,
        upper=upper,
        trace=trace,
        fall=fall,
        past_limit=past_limit,
        speed_share=speed_share,
        fell_at=fell_at,
        fall_reason="" if fell_at is None else _fall_reason(trace),
        wall=wall,
        agreement=agreement,
    )


def _upper_body(
    robot: RobotModel, posture: np.ndarray, arms: np.ndarray, options: ScenarioOptions
) -> UpperBody:
    """Return what the operator's body does."""
    if options.name == "own-steps":
        period = 1.0 / options.control_rate
        return WalkedRecording(robot, posture, options.clip, period)
    return make_upper_body(robot, posture, arms, options)


def _partner(
    controller: WalkController, options: ScenarioOptions
) -> ClipPartner | None:
    """Return who takes a robot by the hands that plays a recording, if anybody does."""
    if options.name != "follow" or not (options.force or options.advance):
        return None
    return ClipPartner(controller.model, options.force, advances=options.advance)


def _fall_reason(trace: Trace) -> str:
    falls = [e for _, e in trace.events if e.kind is ControllerEventKind.FALL]
    return falls[-1].text if falls else ""


def walk_limits(parameters: ControlParameters) -> np.ndarray:
    """Return the greatest vx, vy, wz (3,) of a random walk: well within the clip."""
    period = parameters.single_support + parameters.double_support
    sideways = parameters.foot_spacing - parameters.min_step_width
    ahead = 0.5 * parameters.max_step_length / period
    return np.array([ahead, 0.6 * sideways / period, 0.5])


def _run(
    trace: Trace,
    controller: WalkController,
    simulation: Simulation,
    script: Script,
    upper: UpperBody,
    watcher: OnStep,
) -> float | None:
    """Write the run to the trace; return when the robot fell [s], or None."""
    options, faults, rested = script.options, script.faults, 0.0
    period, by_clip = controller.period, options.foot == "clip"
    hands = HandTouchSense(controller.model.robot, options)
    partner = _partner(controller, options)
    controller.reset(read_world(simulation, true_base=options.true_base))
    for i in range(round(options.duration / period)):
        time = i * period
        state = read_world(simulation, true_base=options.true_base)
        if faults.stalled(time):
            simulation.advance(period)
            continue
        state = hands.feel(faults.felt(state, time), simulation)
        if isinstance(upper, Recording) and partner is not None:
            upper.ahead = partner.feel(state, period)
        wanted = upper.at(time)
        reference = RobotReference(
            stamp=time,
            q=wanted.q,
            dq=wanted.dq,
            ddq=wanted.ddq,
            planted=wanted.planted if by_clip else script.planted(time),
            walk=script.command(time),
            path=wanted.path,
        )
        before = TrueBalance.of(simulation)
        begin = clock.now()
        command = controller.step(state, reference, period)
        tick = clock.now() - begin
        trace.events += [(time, event) for event in controller.report().events]
        if controller.mode == "fallen":
            return time
        simulation.set_torques(command.torques, hold=command.q)
        if partner is not None:
            partner.plan(wanted.dq)
            for pull in partner.pulls(simulation.time, period):
                simulation.push(pull)
            clip = partner.clock
            trace.append(clip_rate=clip.rate, clip_ahead=clip.ahead)
        simulation.advance(period)
        trace.add(time, controller, simulation, wanted, before, tick)
        trace.append(hand_error=hands.error)
        watcher(simulation, time)
        if isinstance(upper, WalkedRecording) and time > upper.end:
            rested = rested + period if controller.mode == "standing" else 0.0
            if rested > REST:
                break
    return None
