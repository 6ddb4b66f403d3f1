"""Run a hand along its path in a simulated world, step by step, without a clock."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from telexist.retarget.advance import AdvanceLaw, PathPoint, straight_path
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.description import RobotModel
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.robots.mujoco import (
    Disturbances,
    Push,
    SensorNoise,
    Simulation,
    build_mujoco,
)
from telexist.robots.touch import HandEstimate
from telexist.teleop.scenarios import OnStep, Trace
from telexist.teleop.scenarios.hand.hand_controller import HandController
from telexist.teleop.scenarios.hand.hand_laws import make_hand_law
from telexist.teleop.scenarios.hand.hand_reach import HandReach, find_hand_reach

__all__ = ["HandPull", "HandRun", "HandWorld", "run_hand"]

TIME = 4.0  # [s] of the path without help
BESIDE = 0.00115  # [m] that the path begins beside the hand, so that V is not 0
ARRIVED = 0.005  # [m] from the end
ESTIMATED = 1.5  # [N] deviation of a force that the arm tells, not sensors
RAMP = 0.5  # [s] in which a force grows and goes


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPull:
    """A partner's force on the hand.

    Attributes:
        force: World axes (3,) [N].
        start: [s].
        let_go: When it ends [s].
        ramp: In which it grows and goes [s].
    """

    force: Array
    start: float = 0.0
    let_go: float = math.inf
    ramp: float = RAMP


@dataclass(frozen=True, slots=True, kw_only=True)
class HandWorld:
    """A robot on a pole.

    Attributes:
        robot: The robot.
        seed: Of the sensors' noise.
        rate: Of the controller [Hz].
        noise: How bad sensors are.
        disturbances: What the controller does not know.
        hand_sensors: Whether sensors tell the force at the hand, and not the arm.
    """

    robot: RobotModel
    seed: int = 0
    rate: float = 200.0
    noise: SensorNoise | None = None
    disturbances: Disturbances | None = None
    hand_sensors: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRun:
    """A hand that has gone its way.

    Attributes:
        law: One of `LAWS`.
        robot: The robot.
        reach: Its hand and way.
        end: Of the path (3,) [m]; None for one without an end.
        trace: What happened.
        past_limit: Farthest that a joint was past its limit [rad].
    """

    law: str
    robot: RobotModel
    reach: HandReach
    end: Array | None
    trace: Trace
    past_limit: float

    @property
    def arrived(self) -> float | None:
        """When the hand was at the end of its path first [s]; None: never."""
        if self.end is None:
            return None
        off = np.linalg.norm(self.trace.array("place") - self.end, axis=1)
        near = np.flatnonzero(off < ARRIVED)
        return float(self.trace.array("time")[near[0]]) if len(near) else None


PathOf = Callable[[HandReach, Array], tuple[Callable[[float], PathPoint], Array | None]]


def ahead(
    reach: HandReach, start: Array
) -> tuple[Callable[[float], PathPoint], Array | None]:
    """Return the straight path ahead, and its end."""
    begin = start + np.array([0.0, BESIDE, 0.0])
    return straight_path(begin, begin + reach.way, TIME), begin + reach.way


def run_hand(
    world: HandWorld,
    law: str,
    pull: HandPull | None = None,
    *,
    duration: float = 6.0,
    gains: AdvanceLaw | None = None,
    path_of: PathOf = ahead,
    on_step: OnStep | None = None,
) -> HandRun:
    """Let the hand go along a path.

    Args:
        world: Robot and sensors.
        law: One of `LAWS`.
        pull: What the partner does; None for nobody.
        duration: [s].
        gains: Of the law; None: as `hand_gains` has them for these sensors.
        path_of: Makes the path of the hand's reach and place; the straight one ahead.
        on_step: Looks at every step.

    Raises:
        BadInput: If the robot has no hand that can go ahead.
        SimulationDiverged: If the physics breaks down.
    """
    robot, model = world.robot, DynamicsModel(world.robot)
    reach = find_hand_reach(robot, model)
    simulation = _put_up(world, reach)
    row = ("left", "right").index(reach.side)
    base, frame = simulation.true_state(), model.frame(robot.body.hands[reach.side])
    gains = gains or hand_gains(world)
    path, end = path_of(reach, reach.start + base.world_p_base)
    model.update(base)
    controller = HandController(model, reach, base, gains)
    follow = make_hand_law(
        law,
        path,
        gains,
        speed=_greatest_speed(path),
        hand_mass=_mass_along(model, frame, path(0.5).dx),
    )
    if pull is not None and np.any(pull.force):
        simulation.push(_push(pull, reach))
    trace, period, watch = Trace(), 1.0 / world.rate, DynamicsModel(robot)
    estimate = None if world.hand_sensors else HandEstimate(robot)
    for i in range(round(duration / period)):
        state = _read(simulation, estimate)
        true = simulation.true_state()
        watch.update(true)
        told, felt = state.hand_wrenches, simulation.true_reading().hand_wrenches
        sight = controller.step(state, follow, period)
        asked, point = sight.asked, path(sight.asked.psi)
        place, velocity = watch.position(frame), watch.velocity(frame)[:3]
        e, error = velocity - point.dx * asked.rate, place - point.x
        energy = 0.5 * e @ e + 0.5 * gains.stiffness * error @ error
        simulation.set_torques(sight.tau, hold=reach.q)
        simulation.advance(period)
        trace.append(
            time=i * period,
            psi=asked.psi,
            rate=asked.rate,
            help=asked.help,
            place=place,
            velocity=velocity,
            reference=point.x,
            error=float(np.linalg.norm(error)),
            energy=float(energy),
            alpha=sight.alpha,
            force=sight.force,
            force_error=_error(told, felt, row),
            tau=sight.tau,
        )
        if on_step is not None:
            on_step(simulation, i * period)
    return HandRun(
        law=law,
        robot=robot,
        reach=reach,
        end=end,
        trace=trace,
        past_limit=float(simulation.extremes.past_limit.max()),
    )


def hand_gains(world: HandWorld) -> AdvanceLaw:
    """Return the law's numbers for a robot: help is what noise does not reach."""
    felt = (world.noise or SensorNoise()).hand if world.hand_sensors else ESTIMATED
    return AdvanceLaw(least=max(1.0, 3.0 * felt))


def _put_up(world: HandWorld, reach: HandReach) -> Simulation:
    simulation = Simulation(
        build_mujoco(world.robot, mount="pole"),
        seed=world.seed,
        noise=world.noise,
        disturbances=world.disturbances,
    )
    neutral = world.robot.body.neutral
    start = BodyState(
        world_p_base=neutral.world_p_base,
        world_R_base=neutral.world_R_base,
        q=reach.q,
        world_v_base=np.zeros(3),
        world_w_base=np.zeros(3),
        dq=np.zeros(len(reach.q)),
    )
    simulation.start_moving(start)
    return simulation


def _read(simulation: Simulation, estimate: HandEstimate | None) -> RobotState:
    state = simulation.read_state()
    if estimate is None:
        return state
    return estimate.step(replace(state, hand_wrenches=None))


def _error(told: Array | None, felt: Array | None, row: int) -> float:
    """Return how far a hand's force is from what the robot was told [N]."""
    if felt is None:
        return 0.0
    known = np.zeros((2, 6)) if told is None else told
    return float(np.linalg.norm((known - felt)[row, :3]))


def _push(pull: HandPull, reach: HandReach) -> Push:
    return Push(
        world_f=np.concatenate([pull.force, np.zeros(3)]),
        start=pull.start,
        duration=pull.let_go - pull.start,
        hand=reach.side,
        ramp=pull.ramp,
    )


def _greatest_speed(path: Callable[[float], PathPoint]) -> float:
    times = np.linspace(0.0, 10.0, 1001)
    return max(float(np.linalg.norm(path(t).dx)) for t in times)


def _mass_along(model: DynamicsModel, frame: int, along: Array) -> float:
    """Return what the hand weighs along a direction (3,) for a force there [kg]."""
    J = model.jacobian(frame)[:3, 6:]
    n = along / max(float(np.linalg.norm(along)), 1e-12)
    give = J.T @ n
    return 1.0 / float(give @ np.linalg.solve(model.M[6:, 6:], give))
