"""Several robots in one MuJoCo simulation.

The names of the second robot and of those after it have the robot's own before them in
the model; the first one's are as if it were alone. Each controller reads and commands
its own `Simulation`, and the world goes on for all of them at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import mujoco
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel
from telexist.robots.mujoco import (
    Disturbances,
    Mount,
    MujocoModel,
    Physics,
    RobotPlace,
    Seat,
    SensorNoise,
    Simulation,
    add_stage,
    compile_spec,
    disturb,
    find_robot,
    robot_spec,
)
from telexist.robots.mujoco.world.hand_tie import HandTie, TiedHands, add_tie

__all__ = ["SharedWorld", "WorldRobot"]

REACH = 0.03  # [m] between hands that can take each other


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldRobot:
    """A robot for a world.

    Attributes:
        name: In this world.
        robot: The robot.
        place: Where it stands.
        mount: How its base is held.
        seat: Its own seat, seen from its place; None for none.
        seed: Of its sensors' noise.
        noise: How bad its sensors are; as `SensorNoise` has it if None.
        disturbances: What its controller does not know.
    """

    name: str
    robot: RobotModel
    place: RobotPlace = field(default_factory=RobotPlace)
    mount: Mount = "free"
    seat: Seat | None = None
    seed: int = 0
    noise: SensorNoise | None = None
    disturbances: Disturbances | None = None


class SharedWorld:
    """Robots that stand on one floor and may hold hands.

    Attributes:
        robots: By name, each a view of its own part of the world.
        physics: What steps it.
    """

    robots: Mapping[str, Simulation]

    def __init__(
        self, robots: Sequence[WorldRobot], ties: Sequence[HandTie] = ()
    ) -> None:
        """Put everybody at their place, in neutral pose, all hands open.

        Args:
            robots: At least one.
            ties: Which hands can hold each other.

        Raises:
            BadModel: If MuJoCo refuses it.
            BadInput: If there is no robot, a name comes twice, a robot of a tie lacks
                that hand, or the robots differ about the floor.
            UnknownName: If a tie names somebody else.
        """
        _check(robots, ties)
        model, found = _compile(robots, ties)
        told = [one.disturbances or Disturbances() for one in robots]
        self.physics = Physics(disturb(list(zip(found, told, strict=True))))
        self.robots = {
            one.name: Simulation(
                index,
                seed=one.seed,
                noise=one.noise,
                disturbances=disturbances,
                place=one.place,
                physics=self.physics,
            )
            for one, index, disturbances in zip(robots, found, told, strict=True)
        }
        data = self.physics.data
        self._ties = {tie: TiedHands(tie, model, data) for tie in ties}
        for tie, hands in self._ties.items():
            self.robots[tie.robot].feel_at(tie.hand, hands.force)
            back = _opposite(hands)
            self.robots[tie.partner].feel_at(tie.partner_hand, back)

    @property
    def time(self) -> float:
        """Time of the world [s]."""
        return self.physics.time

    def reset(self, poses: Mapping[str, Configuration] | None = None) -> None:
        """Begin anew at time 0, all hands open.

        Args:
            poses: By name, seen from each robot's place; neutral where none is given.

        Raises:
            UnknownName: If nobody has such a name.
        """
        given = poses or {}
        for name in given:
            if name not in self.robots:
                raise UnknownName("robot", name, self.robots)
        self.physics.reset({self.robots[name]: pose for name, pose in given.items()})

    def advance(self, duration: float) -> None:
        """Let the world go on for a time [s]: for all robots at once.

        Raises:
            SimulationDiverged: If there is no answer any more, until `reset`.
        """
        self.physics.advance(duration)

    def take_hands(self, tie: HandTie) -> None:
        """Join two hands from now on.

        Raises:
            BadInput: If they are too far from each other.
        """
        gap = self.gap(tie)
        if gap > REACH:
            far = f"{100.0 * gap:.1f} cm from each other, of at most"
            raise BadInput(f"{tie.name}: they are {far} {100.0 * REACH:g} cm")
        self._ties[tie].take()

    def let_go(self, tie: HandTie) -> None:
        """Open two hands; nothing if they are open."""
        self._ties[tie].let_go()

    def held(self, tie: HandTie) -> bool:
        """Return whether two hands hold each other."""
        return self._ties[tie].held

    def gap(self, tie: HandTie) -> float:
        """Return how far two hands are from each other [m]."""
        return self._ties[tie].gap()

    def tie_force(self, tie: HandTie) -> Array:
        """Return what the partner does to the first robot's hand (3,) [N]."""
        return self._ties[tie].force()


def _opposite(hands: TiedHands) -> Any:
    return lambda: -hands.force()


def _check(robots: Sequence[WorldRobot], ties: Sequence[HandTie]) -> None:
    if not robots:
        raise BadInput("a world needs a robot")
    names = Counter(one.name for one in robots)
    for name, count in names.items():
        if count > 1 or not name:
            raise BadInput(f"robots in one world need names of their own: '{name}'")
    bodies = {one.name: one.robot.body for one in robots}
    for tie in ties:
        for name, hand in ((tie.robot, tie.hand), (tie.partner, tie.partner_hand)):
            if name not in bodies:
                raise UnknownName("robot", name, bodies)
            if hand not in bodies[name].hands:
                raise BadInput(f"{name} has no {hand} hand")
        if tie.robot == tie.partner:
            raise BadInput(f"{tie.name}: a tie needs two robots")


def _compile(
    robots: Sequence[WorldRobot], ties: Sequence[HandTie]
) -> tuple[Any, list[MujocoModel]]:
    """Return the model and where each robot is in it."""
    first, prefixes = robots[0], {one.name: f"{one.name} " for one in robots}
    prefixes[first.name] = ""
    specs = [
        robot_spec(one.robot, mount=one.mount, seat=one.seat, place=one.place)
        for one in robots
    ]
    world = specs[0]
    add_stage(world)
    for one, spec in zip(robots[1:], specs[1:], strict=True):
        frame = world.worldbody.add_frame()
        world.attach(spec, prefix=prefixes[one.name], frame=frame)
    hands = {
        (one.name, hand): prefixes[one.name] + link
        for one in robots
        for hand, link in one.robot.body.hands.items()
    }
    for tie in ties:
        links = hands[tie.robot, tie.hand], hands[tie.partner, tie.partner_hand]
        add_tie(world, tie, links)
    if len(robots) > 1:
        # The sparse one, from 60 dofs on, does not converge with two point joints.
        world.option.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    model = compile_spec(world, first.robot)
    return model, [
        find_robot(
            one.robot,
            model,
            mount=one.mount,
            seat=one.seat,
            prefix=prefixes[one.name],
        )
        for one in robots
    ]
