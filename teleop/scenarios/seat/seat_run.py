"""Run a robot on its seat, step by step, without a clock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.errors import SimulationDiverged
from telexist.robots.description import RobotModel, load_robot
from telexist.robots.mujoco import Simulation, build_mujoco, seat_for
from telexist.teleop import clock
from telexist.teleop.controllers.locomotion import WalkController
from telexist.teleop.controllers.sitting import SeatSettings
from telexist.teleop.scenarios import (
    OnStep,
    ScenarioOptions,
    Trace,
    disturbances_of,
    noise_of,
    read_world,
)
from telexist.teleop.scenarios.seat.seat_person import START, let_a_person_help
from telexist.teleop.terms import (
    ControllerEvent,
    ControllerEventKind,
    RobotReference,
    WalkCommand,
)

__all__ = ["SeatRun", "run_seat"]

HELPED = 0.85  # of the way up after which a person lets go
REST, WALK = 2.0, 5.0  # [s] of standing, then walking
AFTER = 2.0  # [s] that a robot is watched when all is done


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRun:
    """A robot that stood up or sat down, or did not.

    Attributes:
        options: What was asked.
        robot: The robot.
        controller: After the run.
        trace: What happened, until a fall.
        fell_at: When it fell [s], or None.
        fall_reason: Why; "" if it did not.
    """

    options: ScenarioOptions
    robot: RobotModel
    controller: WalkController
    trace: Trace
    fell_at: float | None
    fall_reason: str


def run_seat(
    options: ScenarioOptions,
    *,
    folders: Iterable[str | Path] = (),
    on_step: OnStep | None = None,
) -> SeatRun:
    """Run to the end, or until the robot falls.

    Args:
        options: What to run.
        folders: Where the user keeps models.
        on_step: Looks at every step, for a video.

    Raises:
        BadInput: If the robot cannot sit on its seat, or has no hands to take.
        ModelNotFound: If its model is not on this machine.
    """
    robot = load_robot(options.robot, folders)
    height = options.seat_height or None
    helped = options.partner != "none"
    controller = WalkController(
        robot,
        rate=options.control_rate,
        true_base=options.true_base,
        seat=SeatSettings(
            height=height,
            behind=options.behind,
            partner=helped,
            advance=options.advance,
            seated=options.name == "stand-up",
        ),
    )
    simulation = Simulation(
        build_mujoco(robot, seat=seat_for(robot.body, height)),
        seed=options.seed,
        noise=noise_of(options),
        disturbances=disturbances_of(options),
    )
    simulation.reset(controller.start)
    if helped:
        let_a_person_help(simulation, controller, options)
    trace = Trace()
    fell_at = _run(trace, controller, simulation, options, on_step)
    falls = [e for _, e in trace.events if e.kind is ControllerEventKind.FALL]
    return SeatRun(
        options=options,
        robot=robot,
        controller=controller,
        trace=trace,
        fell_at=fell_at,
        fall_reason=falls[-1].text if falls else "",
    )


class _Asked:
    """What is asked of the robot, and when the person lets go."""

    def __init__(self, options: ScenarioOptions) -> None:
        self._options = options
        self.stood: float | None = None
        self._asked = self._let_go = False

    def ask(self, controller: WalkController, time: float) -> WalkCommand:
        """Ask for what is next; return the walking command."""
        if not self._asked and time >= START:
            self._asked = True
            if self._options.name == "stand-up":
                controller.stand_up()
            else:
                controller.sit_down()
        up = self._options.name == "stand-up" and controller.mode == "standing"
        if up and self.stood is None and self._asked:
            self.stood = time
        if self.stood is None:
            return WalkCommand()
        walking = REST <= time - self.stood < REST + WALK
        return WalkCommand(vx=self._options.speed if walking else 0.0)

    def lets_go(self, controller: WalkController, time: float) -> bool:
        """Return once whether the person lets go now."""
        if self._let_go or self._options.partner == "none":
            return False
        asked = self._options.let_go
        if asked >= 0.0:
            self._let_go = time >= asked
        else:
            self._let_go = _helped_up(controller)
        return self._let_go

    def over(self, time: float) -> bool:
        """Return whether all was seen."""
        return self.stood is not None and time > self.stood + REST + WALK + AFTER


def _helped_up(controller: WalkController) -> bool:
    if controller.mode == "standing":
        return True
    sitting = controller.sitting
    return sitting is not None and sitting.share_up > HELPED


def _run(
    trace: Trace,
    controller: WalkController,
    simulation: Simulation,
    options: ScenarioOptions,
    on_step: OnStep | None,
) -> float | None:
    """Write the run to the trace; return when the robot fell [s], or None."""
    period, course = controller.period, _Asked(options)
    q = controller.posture.q
    still = np.zeros_like(q)
    controller.reset(read_world(simulation, true_base=options.true_base))
    for i in range(round(options.duration / period)):
        time = i * period
        walk = course.ask(controller, time)
        if course.lets_go(controller, time):
            simulation.let_hands_go()
        if course.over(time):
            break
        state = read_world(simulation, true_base=options.true_base)
        reference = RobotReference(stamp=time, q=q, dq=still, ddq=still, walk=walk)
        begin = clock.now()
        command = controller.step(state, reference, period)
        tick = clock.now() - begin
        trace.events += [(time, event) for event in controller.report().events]
        if controller.mode == "fallen":
            return time
        _note(trace, controller, simulation, time, tick)
        simulation.set_torques(command.torques, hold=command.q)
        try:
            simulation.advance(period)
        except SimulationDiverged as error:
            event = ControllerEvent(ControllerEventKind.FALL, str(error))
            trace.events.append((time, event))
            return time
        if on_step is not None:
            on_step(simulation, time)
    return None


def _note(
    trace: Trace,
    controller: WalkController,
    simulation: Simulation,
    time: float,
    tick: float,
) -> None:
    true, weight = simulation.true_reading(), controller.qp.weight
    seat = true.thigh_wrenches
    feet, com = simulation.sole_middles().mean(axis=0), simulation.centre_of_mass()
    hands = true.hand_wrenches
    pull = np.zeros(2) if hands is None else np.linalg.norm(hands[:, :3], axis=1)
    sitting, n = controller.sitting, controller.model.n
    busy = controller.mode == "sitting" and sitting is not None
    wanted, rate, phase = np.full(3, np.nan), 1.0, str(controller.mode)
    if busy and sitting is not None:
        turned = simulation.heading()
        c, s = np.cos(turned), np.sin(turned)
        x, y, z = sitting.aim.goal
        wanted = np.array([c * x - s * y, s * x + c * y, z])
        rate, phase = sitting.phase.rate, sitting.phase.name
    trace.append(
        time=time,
        phase=phase,
        mode=controller.mode,
        com=com - feet,
        com_wanted=wanted,
        feet_load=float(true.foot_wrenches[:, 2].sum()) / weight,
        seat_load=0.0 if seat is None else float(seat[:, 2].sum()) / weight,
        pull=pull,
        rate=rate,
        tau=np.array(simulation.applied_torques()[:n]),
        place=feet,
        steps=controller.steps,
        tick=tick,
    )
