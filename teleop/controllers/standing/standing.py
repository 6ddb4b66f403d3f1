"""Standing on two feet or one; the support changes with the operator's feet.

Before a foot is lifted the centre of mass goes over the other one, then the load is
taken off the foot, then it rises and follows the operator's. It comes down the same way
backwards.
"""

from __future__ import annotations

from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.geometry import LegReach
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.standing.stand_phase import OperatorFeet, StandPhase
from telexist.teleop.controllers.standing.stand_state import StandState, place_over
from telexist.teleop.controllers.standing.two_feet import TwoFeet
from telexist.teleop.controllers.stepping import LEFT, RIGHT
from telexist.teleop.controllers.terms import Intent, Measured, dcm_feedback

__all__ = ["Standing"]


class Standing:
    """Keeps the centre of mass over the support; one phase after the other.

    Attributes:
        phase: What is going on.
    """

    phase: StandPhase

    def __init__(
        self, parameters: ControlParameters, soles: tuple[Sole, Sole], reach: LegReach
    ) -> None:
        """Prepare; `start` comes first."""
        self._p, self._reach = parameters, reach
        self._state = StandState(parameters, soles)
        self.leave()

    def start(self, measured: Measured, *, yaw: float, dcm: Array) -> None:
        """Begin to stand where the robot is, on both feet.

        Args:
            measured: The robot.
            yaw: Heading of the base [rad].
            dcm: Where the DCM is to be at first (2,) [m]; kept inside the soles.
        """
        self._state.start(measured, yaw=yaw, dcm=dcm)
        self._enter(TwoFeet(self._state), measured)

    def step(
        self, measured: Measured, operator: OperatorFeet, dt: float, push: Array
    ) -> Intent:
        """Go on for dt and say what to do.

        Args:
            measured: The robot.
            operator: What the operator's legs do.
            dt: Step [s].
            push: What pushes the robot (2,), in body weights.
        """
        p, state = self._p, self._state
        self.phase.time += dt
        following = self.phase.next(measured, operator)
        if following is not None:
            self._enter(following, measured)
        phase = self.phase
        state.step(measured, phase.carrying, phase.on_floor, dt)
        feet = phase.step(measured, operator, dt)
        state.settle(measured, phase.carrying, dt)
        asked = dcm_feedback(
            measured.dcm, state.dcm, state.zmp, gain=p.dcm_gain, omega=p.omega
        )
        asked = asked + p.com_height * push
        return Intent(
            zmp=state.limited(asked, measured, phase.on_floor),
            zmp_plan=state.zmp,
            dcm_plan=state.dcm,
            feet=feet,
            yaw=state.yaw,
            floor=state.floor,
        )

    def leave(self) -> None:
        """End standing: whoever steps holds no foot up."""
        self.phase = TwoFeet(self._state)

    @property
    def support(self) -> int | None:
        """The only foot that is to carry, or None for both."""
        return self.phase.support

    @property
    def lifted(self) -> int | None:
        """The foot that is held up in the air, if one is; not one on its way down."""
        return self.phase.lifted

    @property
    def on_two_feet(self) -> bool:
        """Whether both feet carry and nothing else goes on."""
        return isinstance(self.phase, TwoFeet)

    @property
    def yaw(self) -> float:
        """Heading of the base [rad]."""
        return self._state.yaw

    @property
    def dcm(self) -> Array:
        """Where the DCM is to be (2,) [m]."""
        return self._state.dcm

    def tallest(self, measured: Measured) -> float:
        """Return how high the centre of mass can be where it is to go [m]."""
        phase = self.phase
        feet = (LEFT, RIGHT) if phase.lifted is None else phase.carrying
        place = place_over(measured, phase.carrying)
        return self._reach.tallest(place, self.yaw, measured.sole_p, feet)

    def falling(self, measured: Measured) -> bool:
        """Whether no centre of pressure within the soles can stop the robot."""
        on_floor, p = self.phase.on_floor, self._p
        beyond = self._state.support(measured, on_floor).outside(measured.dcm)
        if len(on_floor) == 1:
            # On one foot a step comes late in any case: hips and arms may do it.
            one_foot = p.standing.one_foot_hips * p.standing.hip_share
            return beyond > one_foot * p.com_height
        return beyond > 0.0

    def _enter(self, phase: StandPhase, measured: Measured) -> None:
        self.phase = phase
        phase.start(measured)
