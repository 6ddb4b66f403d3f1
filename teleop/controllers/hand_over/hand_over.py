"""Controllers of which one leads, and the change from one to another.

A change that is asked for waits until the one that leads can leave and the other can
take over: whom the robot's model stands needs a robot at rest on both feet, so the one
that leads is asked to stand first. Then the torques go over, never faster than a small
share of the efforts in one step, while both control. Who fails meanwhile is not taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.robots.base import JointCommand, RobotState
from telexist.robots.description import RobotModel
from telexist.robots.drives import actuators_of
from telexist.teleop.controllers.base import TakesOver
from telexist.teleop.controllers.hand_over.command_blend import (
    CommandBlend,
    torques_of,
)
from telexist.teleop.controllers.hand_over.eased_reference import EasedReference
from telexist.teleop.controllers.hand_over.going import Going
from telexist.teleop.terms import (
    ControllerEvent,
    ControllerEventKind,
    ControllerReport,
    RobotReference,
)

__all__ = ["Change", "HandOver"]

PATIENCE = 8.0  # [s] that a change waits for the robot to stand
QUIET = 0.2  # [s] that the robot rests before it is stood by its model
SAME_PERIOD = 1e-6  # [s]
OWN = (ControllerEventKind.POLICY, ControllerEventKind.FALL)
"""Events of who is about to take over that are no trouble of the robot's."""


@dataclass(slots=True)
class Change:
    """A change from one controller to another.

    Attributes:
        one: Who leads.
        other: Who is to lead.
        waited: For the robot to be ready [s].
        why: For what it waits; "" for nothing.
        quiet: For how long there was nothing to wait for [s].
        blend: From one to the other; None before it begins.
        jump: Greatest change of a torque that it made in one step, of the efforts.
        done: Whether the other leads.
        refused: Why it does not; "" if nothing speaks against it.
    """

    one: int
    other: int
    waited: float = 0.0
    why: str = ""
    quiet: float = 0.0
    blend: CommandBlend | None = None
    jump: float = 0.0
    done: bool = False
    refused: str = ""


class HandOver:
    """One of several controllers leads; the others look on.

    Attributes:
        names: Of the controllers.
        change: What goes on, or the last one; None before the first.
    """

    base = "free"

    def __init__(
        self,
        robot: RobotModel,
        controllers: Sequence[tuple[str, TakesOver]],
        *,
        by_rule: bool = True,
    ) -> None:
        """Let the first one lead.

        Args:
            robot: The robot.
            controllers: Names and controllers, two or more.
            by_rule: Whether one that goes leads while the operator goes.

        Raises:
            BadInput: If they do not fit each other.
        """
        self.names = tuple(name for name, _ in controllers)
        self._all = tuple(controller for _, controller in controllers)
        _check(self.names, self._all)
        self.period = self._all[0].period
        self.walks = any(one.walks for one in self._all)
        actuators = actuators_of(robot)
        self._effort = actuators.effort
        legs = np.array([group == "legs" for group in actuators.groups])
        self._eased = [EasedReference(one.posture, legs) for one in self._all]
        steady = [i for i, one in enumerate(self._all) if one.steady]
        self._safe = steady[0] if steady else None
        goes = [i for i, one in enumerate(self._all) if _goes(one)]
        ruled = by_rule and goes and 0 not in goes
        self._goes = goes[0] if ruled else None
        self._going = Going()
        self._asked: list[str] = []
        self._events: list[ControllerEvent] = []
        self._clear()

    def _clear(self) -> None:
        self._lead = 0
        self.change: Change | None = None
        for eased in self._eased:
            eased.follow()
        self._going.reset()

    # -- as every controller ----------------------------------------------------------

    def reset(self, state: RobotState) -> None:
        """Start from a state, at rest; the first one leads, also after a fall."""
        self._clear()
        self._asked, self._events = [], []
        for one in self._all:
            one.reset(state)

    @property
    def fallen(self) -> Configuration | None:
        """None; after a fall, how the robot must be put on its feet."""
        return self._all[self._lead].fallen

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        """Return the command for the next dt; bounded, whatever comes in."""
        self._events = []
        if self.fallen is None:
            self._look(state, reference, dt)
        calm = self.waiting is not None
        mine = self._eased[self._lead].step(reference, dt, calm=calm)
        command = self._all[self._lead].step(state, mine, dt)
        self._hear(self._lead, leads=True)
        change = self._blending
        if change is not None and change.blend is not None:
            command = self._blend(change, change.blend, state, reference, command, dt)
        given = torques_of(command, state, self._effort)
        for i, one in enumerate(self._all):
            if not self._acts(i):
                one.look_on(state, reference, given, dt)
        return command

    def report(self) -> ControllerReport:
        """Return what the last step is to show."""
        shown = self._all[self._lead].report()
        return ControllerReport(values=shown.values, events=tuple(self._events))

    # -- asking -----------------------------------------------------------------------

    @property
    def leader(self) -> str:
        """Who leads."""
        return self.names[self._lead]

    @property
    def controllers(self) -> tuple[TakesOver, ...]:
        """All, in order."""
        return self._all

    @property
    def waiting(self) -> Change | None:
        """The change that waits for the robot, if one does."""
        change = self.change
        waits = change is not None and change.blend is None and not change.refused
        return change if waits else None

    @property
    def notice(self) -> str:
        """What an operator should know of it."""
        waiting = self.waiting
        if waiting is not None and waiting.why:
            return f"{self.names[waiting.other]} waits: {waiting.why}"
        return f"{self.leader} leads"

    def ask(self, name: str = "") -> None:
        """Ask for one of them to lead; "" for the next."""
        self._asked.append(name)

    # -- deciding ---------------------------------------------------------------------

    def _look(self, state: RobotState, reference: RobotReference, dt: float) -> None:
        """Begin, go on with or give up a change."""
        wanted = self._wanted(reference, dt)
        blending = self._blending
        astray = self._all[self._lead].astray(state, reference)
        safe = self._safe
        if astray and safe is not None and safe != self._lead:
            if blending is None:
                self._hand_back(safe, astray, state, reference)
            return
        if blending is not None:
            return
        if wanted is not None:
            self._want(wanted)
        waiting = self.waiting
        if waiting is not None:
            self._wait(waiting, state, reference, dt)

    def _wanted(self, reference: RobotReference, dt: float) -> int | None:
        """Return who is asked for, by a person or by the rule."""
        wanted: int | None = None
        if self._going.step(reference, dt) and self._goes is not None:
            wanted = self._goes if self._going.now else 0
        for name in self._asked:
            if not name:
                last = self.waiting.other if self.waiting else self._lead
                wanted = (last + 1) % len(self._all)
            elif name in self.names:
                wanted = self.names.index(name)
            else:
                known = ", ".join(self.names)
                self._tell(f"no controller '{name}'; known: {known}")
        self._asked.clear()
        return wanted

    def _want(self, wanted: int) -> None:
        waiting = self.waiting
        if waiting is not None and waiting.other == wanted:
            return
        if waiting is not None:
            waiting.refused = "somebody else is asked for"
        if wanted == self._lead:
            if waiting is not None:
                self._tell(f"{self.leader} goes on")
            return
        self.change = Change(self._lead, wanted)

    def _wait(
        self, change: Change, state: RobotState, reference: RobotReference, dt: float
    ) -> None:
        """Begin a change if all are ready."""
        other = self._all[change.other]
        why = self._all[self._lead].waits_to_leave() or other.waits_to_take()
        if why and not change.why:
            self._tell(f"{self.names[change.other]} waits: {why}")
        change.why, change.waited = why, change.waited + dt
        change.quiet = 0.0 if why else change.quiet + dt
        if not why and other.steady and change.quiet < QUIET:
            return
        if why and change.waited > PATIENCE:
            self._refuse(change, why)
        elif not why:
            self._begin(change, state, reference)

    def _begin(
        self, change: Change, state: RobotState, reference: RobotReference
    ) -> None:
        """Let the torques go over, if the other one can take them."""
        try:
            self._all[change.other].take_over(state)
        except BadInput as error:
            self._refuse(change, str(error))
            return
        change.blend = CommandBlend(self._effort)
        self._eased[change.other].begin(state.q, reference)
        names = self.names
        self._tell(f"from {names[change.one]} to {names[change.other]}")

    def _hand_back(
        self, safe: int, why: str, state: RobotState, reference: RobotReference
    ) -> None:
        """Let the one that stands lead at once."""
        waiting = self.waiting
        if waiting is not None:
            waiting.refused = why
        self.change = Change(self._lead, safe)
        text = f"{self.leader}: {why}; {self.names[safe]} leads"
        self._begin(self.change, state, reference)
        self._events.append(ControllerEvent(ControllerEventKind.HANDED_BACK, text))

    def _refuse(self, change: Change, why: str) -> None:
        change.refused = why
        self._tell(f"{self.names[change.other]} is refused: {why}; {self.leader} leads")

    # -- going over -------------------------------------------------------------------

    @property
    def _blending(self) -> Change | None:
        change = self.change
        if change is None or change.blend is None or change.blend.over:
            return None
        return change

    def _acts(self, i: int) -> bool:
        change = self._blending
        return i == self._lead or (change is not None and i == change.other)

    def _blend(
        self,
        change: Change,
        blend: CommandBlend,
        state: RobotState,
        reference: RobotReference,
        command: JointCommand,
        dt: float,
    ) -> JointCommand:
        """Return the command between both; end the change when it is over."""
        one, other = self._all[change.one], self._all[change.other]
        theirs = self._eased[change.other].step(reference, dt, calm=False)
        into = other.step(state, theirs, dt)
        trouble = self._hear(change.other, leads=False)
        if trouble and one.astray(state, reference):
            self._events += trouble
        elif trouble and not blend.back:
            blend.back = True
            self._refuse(change, trouble[0].text)
        result = blend.step(state, command, into, dt)
        change.jump = blend.jump
        given = torques_of(result, state, self._effort)
        one.was_given(given)
        other.was_given(given)
        if blend.share >= 1.0:
            change.done, self._lead = True, change.other
        return result

    def _hear(self, i: int, *, leads: bool) -> list[ControllerEvent]:
        """Pass a controller's events on, but for the trouble of who does not lead."""
        trouble = []
        falls_back = self._safe is not None and self._safe != i
        for event in self._all[i].report().events:
            if not leads and event.kind in OWN:
                trouble.append(event)
            elif event.kind is ControllerEventKind.POLICY and falls_back:
                continue  # it is astray: the one that stands leads from the next step
            else:
                self._events.append(event)
        return trouble

    def _tell(self, text: str) -> None:
        self._events.append(ControllerEvent(ControllerEventKind.HAND_OVER, text))


def _goes(controller: TakesOver) -> bool:
    """Return whether a controller brings the robot elsewhere."""
    return controller.walks or not controller.steady


def _check(names: Sequence[str], controllers: Sequence[TakesOver]) -> None:
    twice = sorted({name for name in names if list(names).count(name) > 1})
    if twice:
        raise BadInput(f"--controller names {', '.join(twice)} twice")
    periods = [one.period for one in controllers]
    if max(periods) - min(periods) > SAME_PERIOD:
        rates = ", ".join(
            f"{name} {1.0 / period:g} Hz"
            for name, period in zip(names, periods, strict=True)
        )
        raise BadInput(f"controllers of different rates cannot take turns: {rates}")
