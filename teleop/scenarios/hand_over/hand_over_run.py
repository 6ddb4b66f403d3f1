"""Ask for another controller at random moments, standing or going, without a clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadInput, SimulationDiverged
from telexist.retarget.so3 import Array
from telexist.robots.base import JointCommand
from telexist.robots.description import RobotModel, load_robot
from telexist.robots.drives import actuators_of
from telexist.robots.mujoco import Simulation
from telexist.teleop import clock
from telexist.teleop.controllers.hand_over import (
    Change,
    HandOver,
    make_controllers,
    policies_of_words,
)
from telexist.teleop.controllers.policy import policy_robot
from telexist.teleop.scenarios import (
    OnStep,
    ScenarioOptions,
    TimedOnStep,
    Trace,
    read_world,
    world_of,
)
from telexist.teleop.scenarios.hand_over.going_operator import GoingOperator
from telexist.teleop.terms import ControllerEvent, ControllerEventKind

__all__ = ["AskedChange", "HandOverRun", "run_hand_over"]

LOW = 0.6  # of the height of standing ready: the robot lies
MOMENT = (1.5, 3.0)  # [s] after the last change, drawn
SETTLE = (0.3, 0.8)  # [s] after a change, drawn
LONGEST = 12.0  # [s] that a change may take


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedChange:
    """A change that was asked for.

    Attributes:
        time: When [s].
        going: Whether the operator went then.
        one: Who led.
        other: Who was asked for.
        change: What became of it.
    """

    time: float
    going: bool
    one: str
    other: str
    change: Change


@dataclass(slots=True, kw_only=True)
class HandOverRun:
    """A run.

    Attributes:
        options: What was asked.
        robot: The robot.
        controller: After the run.
        trace: What happened, until a fall.
        changes: That were asked for.
        past_limit: Farthest that a joint was past its limit [rad].
        fell_at: When the robot fell [s], or None.
        fall_reason: Why; "" if it did not.
        wall: Time that simulation and control took [s].
    """

    options: ScenarioOptions
    robot: RobotModel
    controller: HandOver
    trace: Trace
    changes: list[AskedChange] = field(default_factory=list)
    past_limit: float = 0.0
    fell_at: float | None = None
    fall_reason: str = ""
    wall: float = 0.0


def run_hand_over(
    options: ScenarioOptions,
    *,
    folders: Iterable[str | Path] = (),
    on_step: OnStep | None = None,
) -> HandOverRun:
    """Run until all changes were made, or the robot falls.

    Args:
        options: What to run; its `controller` names two controllers or more.
        folders: Where the user keeps models.
        on_step: Looks at every step, for a video; its time does not count.

    Raises:
        BadInput: If controllers and robot do not fit each other.
        ModelNotFound: If the robot's model is not on this machine.
    """
    policies = policies_of_words(options.controller)
    if policies:
        robot = policy_robot(policies[0], options.robot, folders)
    else:
        robot = load_robot(options.robot, folders)
    controller = make_controllers(options.controller, robot, by_rule=False)
    if not isinstance(controller, HandOver):
        raise BadInput("hand-over needs two controllers: --controller balance,walk")
    options = replace(options, robot=robot.spec.name)
    run = HandOverRun(
        options=options, robot=robot, controller=controller, trace=Trace()
    )
    simulation = world_of(robot, options)
    ready = controller.controllers[0].posture
    simulation.reset(ready)
    operator = GoingOperator(robot, ready, options)
    watcher, start = TimedOnStep(on_step), clock.now()
    low = LOW * float(ready.world_p_base[2])
    effort = actuators_of(robot).effort
    script = _script(run)
    controller.reset(read_world(simulation, true_base=False))
    before = np.zeros(len(ready.q))
    for going in script:
        time, state = simulation.time, read_world(simulation, true_base=False)
        reference = operator.step(time, controller.period, goes=going)
        command = controller.step(state, reference, controller.period)
        events = controller.report().events
        run.trace.events += [(time, event) for event in events]
        if controller.fallen is not None:
            _fall(run, time, "")
            break
        _send(simulation, command)
        try:
            simulation.advance(controller.period)
        except SimulationDiverged as error:
            _fall(run, time, str(error))
            break
        before = _write(run, simulation, before / effort, effort)
        height = float(simulation.true_state().world_p_base[2])
        if height < low:
            _fall(run, time, f"the base is at {height:.2f} m")
            break
        watcher(simulation, time)
    run.past_limit = float(simulation.extremes.past_limit.max())
    run.wall = clock.now() - start - watcher.took
    return run


def _script(run: HandOverRun) -> Iterator[bool]:
    """Ask for changes; yield in every step whether the operator goes."""
    controller, options = run.controller, run.options
    rng = np.random.default_rng([options.seed, 0x40])
    period = controller.period
    steps = 0

    def wait(seconds: float, going: bool) -> Iterator[bool]:
        nonlocal steps
        for _ in range(round(seconds / period)):
            steps += 1
            yield going

    for _ in range(options.changes):
        going = bool(rng.integers(2))
        yield from wait(rng.uniform(*MOMENT), going)
        names, before = controller.names, controller.change
        one = controller.leader
        controller.ask()
        yield from wait(period, going)
        change = controller.change
        if change is None or change is before:
            continue
        run.changes.append(
            AskedChange(
                time=(steps - 1) * period,
                going=going,
                one=one,
                other=names[change.other],
                change=change,
            )
        )
        for _ in range(round(LONGEST / period)):
            if change.done or change.refused:
                break
            yield from wait(period, going)
        yield from wait(rng.uniform(*SETTLE), going)


def _send(simulation: Simulation, command: JointCommand) -> None:
    if command.gains is None:
        simulation.set_torques(command.torques)
        return
    simulation.set_servos(
        command.q,
        kp=command.gains.kp,
        kd=command.gains.kd,
        dq=command.dq,
        tau=command.torques,
    )


def _write(
    run: HandOverRun, simulation: Simulation, before: Array, effort: Array
) -> Array:
    """Write a step; return the torques that the drives give (n,) [N m]."""
    n = len(effort)
    tau = np.array(simulation.applied_torques()[:n])
    change = run.controller.change
    blend = None if change is None else change.blend
    run.trace.append(
        time=simulation.time,
        tau=tau,
        step=float(np.abs(tau / effort - before).max()),
        changing=blend is not None and not blend.over,
    )
    return tau


def _fall(run: HandOverRun, time: float, text: str) -> None:
    kind = ControllerEventKind.FALL
    if text:
        run.trace.events.append((time, ControllerEvent(kind, text)))
    falls = [event.text for _, event in run.trace.events if event.kind is kind]
    run.fell_at, run.fall_reason = time, falls[-1] if falls else "it fell"
