"""The loop: one sample from the operator's body to the robot's joints.

    device.read -> HumanFrame -> targets(map) -> ik.step -> smoother.step
                -> controller.step -> robot.send

and back: robot.read_feedback -> device.show. One thread, one clock. A turn begins when
a sample arrives, or at the latest one period after the last; nothing in it waits for a
viewer, a disk or a socket. Trouble is handled here and nowhere else: see
`teleop/terms/reactions.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from telexist.calibration import Capture, CapturePhase, OperatorProfile
from telexist.retarget.signals import HumanFrame
from telexist.robots.base import HandCommand, Robot, RobotFeedback
from telexist.robots.touch import HandEstimate
from telexist.teleop.clock import Waker, now
from telexist.teleop.controllers.base import Controller
from telexist.teleop.dynamics import LiveDynamics
from telexist.teleop.loop.hand_motion import HandMotion
from telexist.teleop.loop.hand_touch import HandTouch
from telexist.teleop.loop.operator_input import OperatorInput
from telexist.teleop.loop.operator_motion import OperatorMotion
from telexist.teleop.loop.outlets import Outlets
from telexist.teleop.loop.pace import Pace
from telexist.teleop.loop.reference_maker import ReferenceMaker
from telexist.teleop.loop.requests import Requests
from telexist.teleop.loop.ring_frame import ring_turns_frame
from telexist.teleop.loop.robot_link import LONGEST_STEP, SHORTEST_STEP, RobotLink
from telexist.teleop.loop.sample_latency import NO_STAGES, SampleLatency
from telexist.teleop.safety import EngageConditions, LoopWatch, Supervisor
from telexist.teleop.settings import SessionSettings
from telexist.teleop.terms import (
    EventKind,
    Fault,
    Request,
    RobotReference,
    State,
    Tick,
    TickSink,
    WalkCommand,
)

__all__ = ["TeleopLoop"]

SETTLING = 0.3  # [s] for the robot to come to rest after its commands
GRACE = 1.05  # periods that a turn waits for the sample after the last one
STANDING = 2.0  # [s] for a robot that walks to come to a stand
AHEAD = 0.02  # [s] postures are carried on at their speed for at most this long

_log = logging.getLogger(__name__)


class TeleopLoop:
    """Runs a session; `turn` is one round of it.

    Attributes:
        supervisor: The state machine.
        motion: The operator.
        reference: What the controller is given.
        link: The robot and its controller.
        dynamics: Estimates the operator's torques, or None.
        interrupted: Why the session must end, or "".
    """

    def __init__(
        self,
        *,
        devices: OperatorInput,
        robot: Robot,
        controller: Controller,
        motion: OperatorMotion,
        reference: ReferenceMaker,
        settings: SessionSettings,
        make_capture: Callable[[], Capture],
        hands: HandMotion | None = None,
        touch: HandEstimate | None = None,
        sinks: Sequence[TickSink] = (),
    ) -> None:
        """Wire the parts; nothing moves before the first `turn`."""
        self.input, self.motion, self.reference = devices, motion, reference
        self.supervisor = Supervisor(settings)
        self._outlets = Outlets(sinks, self.supervisor.fault)
        self.link = RobotLink(
            robot, controller, self.supervisor, settings.safety, touch
        )
        self._settings, self._hands = settings, hands
        self._requests = Requests(self, settings, make_capture)
        self._period = 1.0 / settings.loop.rate
        self._pace = Pace(self._period)
        self._loop_watch = LoopWatch(settings.loop, settings.safety)
        self._latency, self._touch = SampleLatency(), HandTouch()
        self._turns = 0
        self._last: float | None = None
        self._held_since = 0.0
        self._end = float("inf")
        self.interrupted, self._told_interrupted = "", False
        self._crash: Exception | None = None
        self.dynamics: LiveDynamics | None = None

    @property
    def sinks(self) -> tuple[TickSink, ...]:
        """Who gets every tick."""
        return self._outlets.sinks

    @sinks.setter
    def sinks(self, sinks: Sequence[TickSink]) -> None:
        self._outlets.sinks = tuple(sinks)

    def run(self, waker: Waker, duration: float = float("inf")) -> None:
        """Turn until `duration` [s] is over, or as `stop_soon` says.

        Raises:
            Exception: What a turn raised; the robot has been stopped then.
        """
        self._end = now() + duration
        began = now()
        while began < self._end:
            waker.clear()
            self._turn_or_brake(began)
            # A stream of about our own rate sets the pace: no turn just before each
            # sample, in which that sample would have to wait.
            patience = GRACE if self.input.human is not None else 1.0
            latest = began + patience * self._period
            waker.wait(min(latest, self.link.due(began)))
            began = self._pace.wait(began, sampled=self.input.human is not None)
        if self._crash is not None:
            raise self._crash
        if self.supervisor.log_rest(now()):
            self.turn(now())

    def stop_soon(self, after: float | None = None) -> None:
        """End `run` within `after` [s]; None: when the joints have come to rest."""
        if after is None:
            after = self.reference.braking_time + SETTLING
            after += STANDING * (self.link.controller.base == "free")
        self._end = min(self._end, now() + after)

    def interrupt(self, reason: str) -> None:
        """Stop the robot in the next turn, and end when it is at rest.

        Any thread and any signal handler may call this.
        """
        self.interrupted = self.interrupted or reason

    def _turn_or_brake(self, began: float) -> None:
        """Do one round; after an error of our own, rounds that only stop the robot."""
        if self._crash is None:
            try:
                self.turn(began)
                return
            except Exception as error:
                _log.exception("a turn of the loop failed")
                self._crash = error
                reason = f"{type(error).__name__}: {error}"
                self.supervisor.fault(Fault.CRASHED, reason, began)
                self.stop_soon()
        try:
            self._brake(began)
        except Exception:  # nothing is left to do from here: its drives stop the robot
            _log.exception("the robot could not be stopped by the loop")
            self._end = began

    def _brake(self, began: float) -> None:
        """Do a round that looks at nobody and brings the robot to rest."""
        period = self._begin(began)
        self._read_robot(began)
        self.reference.stop(max(period, SHORTEST_STEP))
        reference = self.reference.at(began, (True, True), WalkCommand())
        self.link.send(self.link.control(reference, began), None, began)
        tick = self._tick(period, reference, (began,) * 6, NO_STAGES, followed=False)
        self._outlets.put(tick)

    def _handle_interrupt(self, now_: float) -> None:
        if self.interrupted and not self._told_interrupted:
            self._told_interrupted = True
            self.supervisor.request(Request.STOP, self.interrupted, now_)
            self.stop_soon()

    def take_profile(self, profile: OperatorProfile, reason: str) -> None:
        """Begin with an operator who is calibrated already."""
        self.motion.take_profile(profile)
        self.supervisor.calibrated(reason, now())

    def engage_conditions(self, now_: float) -> EngageConditions:
        """Return what the supervisor would look at if somebody engaged now."""
        return self._requests.conditions(now_)

    def turn(self, began: float) -> Tick:
        """Do one round.

        Args:
            began: Time at its start [s].

        Returns:
            All that it saw and did; the sinks have it too.
        """
        period = self._begin(began)
        self._read_robot(began)
        self.input.read()  # device.read
        read = now()
        followed = self._follow(began)  # HumanFrame -> targets -> ik.step
        self._requests.handle(self.input.asked, began)
        self._handle_interrupt(began)
        retargeted = now()
        reference = self._smooth(max(period, SHORTEST_STEP), began)  # smoother.step
        smoothed = now()
        command = self.link.control(reference, began)  # controller.step
        controlled = now()
        self.link.send(command, self._hand_command(period), began)  # robot.send
        sent = now()
        stamps = (began, read, retargeted, smoothed, controlled, sent)
        commanded = command is not None
        stages = self._latency.stages(
            self.input.arrival, stamps, followed=followed, commanded=commanded
        )
        tick = self._tick(period, reference, stamps, stages, followed=followed)
        self._outlets.put(tick)
        return tick

    def _begin(self, now_: float) -> float:
        """Return the time since the last turn began [s], 0 in the first."""
        period = 0.0 if self._last is None else now_ - self._last
        self._last = now_
        self.link.beat(now_)
        late = self._loop_watch.check(period)
        if late is not None:
            self.supervisor.fault(*late, now_)
        return period

    def _read_robot(self, now_: float) -> None:
        """Take the robot's state; references begin where it is."""
        if self.link.read(now_) and self.link.state is not None:
            self.reference.reset(self.link.state.q)

    # device.read -> HumanFrame -> targets -> ik.step ------------------------------

    def _follow(self, now_: float) -> bool:
        """Follow a new sample; return whether there was one that is good."""
        self._hear_devices(now_)
        raw = self.input.human
        if raw is not None and self.input.treadmill is not None:
            yaw, rate = self.input.treadmill.yaw, self.input.ring_rate
            raw = ring_turns_frame(raw, yaw, yaw_rate=rate)
        if raw is not None and self._hands is not None:
            self._hands.follow(raw)
        self._calibrate(raw, now_)
        moving = self.supervisor.moving
        verdict = None if raw is None else self.motion.follow(raw, moving=moving)
        if verdict is not None:
            grave = verdict.grave
            log = self.supervisor.fault if grave else self.supervisor.note
            log(verdict.kind, verdict.reason, now_)
        self._watch_stream(now_)
        good = verdict is None or verdict.usable
        return raw is not None and good and self.motion.profile is not None

    def _hear_devices(self, now_: float) -> None:
        """Tell what devices lost, refused, or were let go of."""
        fault, log = self.supervisor.fault, self.supervisor.log
        for event in (*self.input.lost, *self.input.events(now_)):
            text = f"{event.device}: {event.reason}"
            if isinstance(event.kind, Fault):
                fault(event.kind, text, now_, device=event.device)
            else:
                log(event.kind, text, now_, device=event.device)
        for refused in self.input.refused:
            reason = f"{refused.device}: {refused.detail}"
            self.supervisor.refused(refused.reason, reason, now_, refused.count)
        for device in self.input.released:
            if self.supervisor.moving:
                text = f"{device}: the switch was let go"
                fault(Fault.DEAD_MAN, text, now_, device=device)

    def _calibrate(self, raw: HumanFrame | None, now_: float) -> None:
        """Feed a calibration that is going on, and tell how it ended."""
        ended = self.motion.update_capture(raw, now_)
        if ended is None:
            return
        if ended.phase is CapturePhase.DONE:
            self.supervisor.calibrated("the operator was calibrated", now_)
        for reason in ended.reasons:
            self.supervisor.log(EventKind.CALIBRATION_REFUSED, reason, now_)

    def _watch_stream(self, now_: float) -> None:
        if self.fresh(now_) or not self.supervisor.moving:
            return
        last = self.motion.human.stamp if self.motion.human else self.input.arrival
        why = f" ({self.motion.refusal})" if self.motion.refusal else ""
        silence = f"no good sample for {now_ - last:.2f} s{why}"
        source = self.input.source.name
        text = f"{source}: {silence}"
        self.supervisor.fault(Fault.STALE, text, now_, device=source)

    def fresh(self, now_: float) -> bool:
        """Return whether the operator was seen, well, within the deadline."""
        if self.motion.human is None:
            return False
        deadline = self._settings.safety.deadline or self.input.source.deadline
        return now_ - self.motion.human.stamp <= deadline

    # smoother.step ----------------------------------------------------------------

    def _smooth(self, dt: float, now_: float) -> RobotReference:
        state, targets = self.supervisor.state, self.motion.targets
        if dt > LONGEST_STEP and self.supervisor.moving:
            self.reference.skip(dt)
        elif state in (State.ENGAGING, State.ACTIVE) and targets is not None:
            ahead = min(max(now_ - targets.stamp, 0.0), AHEAD)
            self.reference.follow(targets.q + ahead * targets.dq, dt, targets)
            if state is State.ENGAGING and self.reference.arrived:
                self.supervisor.arrived(now_)
            self._held_since = now_
        elif state is State.HOLDING:
            self._hold(dt, now_)
        else:
            self.reference.stop(dt)
        return self.reference.at(now_, self._planted(), self._walk(now_))

    def _hold(self, dt: float, now_: float) -> None:
        """Hold, and return to neutral after the chosen time."""
        wait = self._settings.safety.return_after
        if not wait or now_ - self._held_since < wait:
            self.reference.hold(dt)
            return
        if self.reference.begin_return():
            reason = f"nobody engaged for {wait:g} s: back to neutral"
            self.supervisor.note(EventKind.RETURN, reason, now_)
        self.reference.follow(self.link.robot.body.neutral.q, dt)

    def _planted(self) -> tuple[bool, bool]:
        targets = self.motion.targets
        if self.supervisor.state is not State.ACTIVE or targets is None:
            return True, True
        return targets.planted

    def _walk(self, now_: float) -> WalkCommand:
        if self.supervisor.state is not State.ACTIVE:
            return WalkCommand()
        return self.input.walk_at(now_, self._settings.safety.walk_deadline)

    def _hand_command(self, period: float) -> HandCommand | None:
        if self.supervisor.state is not State.ACTIVE:
            return None
        if self._hands is None:
            return self.input.hands
        dt = min(max(period, SHORTEST_STEP), LONGEST_STEP)
        return self._hands.command(self.input.hands, dt)

    # robot.read_feedback -> device.show ---------------------------------------------

    def _feedback(self) -> RobotFeedback | None:
        feedback = self._touch.add(self.link.robot.read_feedback(), self.link.state)
        if feedback is not None:
            self.input.show(feedback)
            if feedback.camera_problem:
                reason = f"no pictures: {feedback.camera_problem}"
                self.supervisor.fault(Fault.CAMERA_LOST, reason, self._last or 0.0)
        return feedback

    def _tick(
        self,
        period: float,
        reference: RobotReference,
        stamps: tuple[float, ...],
        stages: tuple[float, ...],
        *,
        followed: bool,
    ) -> Tick:
        """Gather what the turn saw and did; `stamps` are the ends of its stages."""
        self._turns += 1
        for note in self.dynamics.take_notes() if self.dynamics else ():
            self.supervisor.log(note.kind, note.text, stamps[0])
        self.supervisor.log_due(stamps[0])
        return Tick(
            number=self._turns,
            stamp=stamps[0],
            period=period,
            state=self.supervisor.state,
            samples=tuple(self.input.samples),
            raw=self.input.human,
            human=self.motion.human if followed else None,
            targets=self.motion.targets if followed else None,
            reference=reference,
            command=self.link.sent,
            robot=self.link.state,
            report=self.link.controller.report(),
            feedback=self._feedback(),
            dynamics=self.dynamics.take() if self.dynamics else (),
            events=self.supervisor.drain(),
            notice=self.motion.notice or self.link.notice,
            stages=stages,
            age=stamps[-1] - self.input.arrival,
        )
