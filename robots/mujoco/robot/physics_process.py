"""The process in which a simulated robot lives, in pace with the host's clock.

It depends on nobody: not on the session's interpreter, not on its death. As a real
robot's drives would, it goes on for a while without a master, and its servos brake.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Callable
from dataclasses import dataclass

from telexist.robots.base import ignore_terminal
from telexist.robots.description import RobotFiles, load_again
from telexist.robots.drives import Bounds
from telexist.robots.mujoco import Mount, SensorNoise
from telexist.robots.mujoco.robot.servo_simulation import ServoSimulation
from telexist.robots.mujoco.robot.simulated_link import SimulatedLink

__all__ = ["PhysicsSettings", "live_physics"]

MAX_LATE = 0.05  # [s] that the physics catches up with; more is skipped
STATE_PERIOD = 0.0025  # [s] between two states
LOOK = 0.1  # [s] between two looks at whether the session's process lives
ORPHANED = 5.0  # [s] that a robot lives without it: time to come to rest
PRIORITY = 25  # of SCHED_FIFO: before the loop, as a real robot would be


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysicsSettings:
    """What the physics must know.

    Attributes:
        files: The robot.
        mount: How its base is held.
        noise: How bad its sensors are; None makes them perfect and tells the base.
        bounds: What its servos' set-points obey; None takes the robot's own.
        period: Time between two commands, about [s].
        real_time: Whether to ask for real-time scheduling.
        now: The host's clock [s]; one that all processes share.
        sleep: Waits for a duration [s].
    """

    files: RobotFiles
    mount: Mount
    noise: SensorNoise | None
    bounds: Bounds | None
    period: float
    real_time: bool
    now: Callable[[], float]
    sleep: Callable[[float], None]


def live_physics(settings: PhysicsSettings, link: SimulatedLink) -> None:
    """Live until told to end, or some seconds longer than the session's process."""
    ignore_terminal()
    try:
        simulation = ServoSimulation(
            load_again(settings.files),
            mount=settings.mount,
            noise=settings.noise,
            bounds=settings.bounds,
            period=settings.period,
        )
        _live(simulation, link, settings)
        if settings.real_time:
            _be_punctual()
        _run(simulation, link, settings)
    except Exception as error:  # whatever it is, the session must hear of it
        link.fail(f"{type(error).__name__}: {error}")


def _run(
    simulation: ServoSimulation, link: SimulatedLink, settings: PhysicsSettings
) -> None:
    parent = multiprocessing.parent_process()
    look, end = 0.0, float("inf")
    while not link.ending:
        _live(simulation, link, settings)
        now = settings.now()
        if now >= look:
            look = now + LOOK
            if parent is not None and not parent.is_alive():
                end = min(end, now + ORPHANED)
        if now >= end:
            return
        settings.sleep(STATE_PERIOD)


def _live(
    simulation: ServoSimulation, link: SimulatedLink, settings: PhysicsSettings
) -> None:
    """Bring the world to now and tell what the sensors say."""
    upright = link.take_posture()
    if upright is not None:
        simulation.stand_up(upright)
    command = link.take_command()
    if command is not None:
        simulation.command(command)
    if simulation.advance_to(settings.now(), most=MAX_LATE) or not link.states:
        state = simulation.read_state()
        link.publish(state, simulation.skipped, simulation.simulation.data.qpos)


def _be_punctual() -> None:
    if hasattr(os, "sched_setscheduler"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
