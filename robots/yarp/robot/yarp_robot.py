"""A robot behind YARP.

`connect` reads everything and moves nothing; `arm` takes the joints over where they
are; `send` moves them, past the gate. Sending stops by itself when a board is silent, a
joint is taken or in fault, or somebody else writes. A silent board that wakes is held
where it is; everything else waits for a person and for `recover`.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from telexist.retarget.errors import RobotLost, TelexistError
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.robots.base import (
    JointCommand,
    RobotFeedback,
    RobotState,
    accepted_command,
)
from telexist.robots.description import RobotModel
from telexist.robots.drives import GRAVITY, ReferenceGate
from telexist.robots.yarp.boards import (
    NO_JOINT,
    AxisMap,
    HandAxes,
    find_boards,
    map_axes,
)
from telexist.robots.yarp.network import NameClient
from telexist.robots.yarp.robot.arming import (
    bring_inside,
    first_pose,
    give_back,
    take_over,
)
from telexist.robots.yarp.robot.board_connection import BoardConnection
from telexist.robots.yarp.robot.driven_axes import (
    await_states,
    choose_boards,
    make_gate,
)
from telexist.robots.yarp.robot.faults import FaultKeeper, FaultKind, RobotFault
from telexist.robots.yarp.robot.preflight import Check, check_flight
from telexist.robots.yarp.robot.reference_sender import ReferenceSender, measured_pose
from telexist.robots.yarp.robot.state_watch import StateWatch
from telexist.robots.yarp.robot.writer_watch import WriterWatch, writer_reason
from telexist.robots.yarp.robot.yarp_settings import YarpSettings
from telexist.robots.yarp.sensing import ImuReading, RobotSenses

__all__ = ["YarpRobot"]

NEWS = 0.15  # [s] in which every board tells its state anew
WATCH_PERIOD = 0.01  # [s]
SETTLED = 0.1  # [s] after arming until the modes in the state are up to date
CALM = 0.2  # [s] that a board must be awake before it is held

_log = logging.getLogger(__name__)


class YarpRobot:
    """Drives the boards of one robot in position direct.

    Attributes:
        settings: Where it is, and how carefully it is moved.
        faults: What is wrong now.
    """

    def __init__(
        self, robot: RobotModel, *, now: Callable[[], float], place: str = ""
    ) -> None:
        """Describe the robot; nothing is reached before `connect`.

        Args:
            robot: Its model.
            now: The host's clock [s].
            place: "HOST:PORT?name=value&..."; see `YarpSettings`.

        Raises:
            BadInput: If the place cannot be understood.
        """
        self._body, self._now = robot.body, now
        self.settings = YarpSettings.read(place)
        self.faults = FaultKeeper()
        self._own = f"/telexist{os.getpid()}"
        self._boards: tuple[BoardConnection, ...] = ()
        self._map = AxisMap((), (), ())
        self._joints: np.ndarray = np.zeros(0, dtype=np.intp)
        self._hands = HandAxes((), ())
        self._senses: RobotSenses | None = None
        self._gate: ReferenceGate | None = None
        self._sender: ReferenceSender | None = None
        self._watch: StateWatch | None = None
        self._writers: WriterWatch | None = None
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()
        self._lock = threading.RLock()
        self._armed_at: float | None = None
        self._moved_before = False
        self._recover_asked = False
        self._calm_since: float | None = None

    @property
    def body(self) -> RobotBody:
        """The robot's model."""
        return self._body

    @property
    def top_speed(self) -> float:
        """Greatest speed of any joint [rad/s]."""
        return float(np.radians(self.settings.speed))

    @property
    def first_speed(self) -> float:
        """Share of the usual speed that the first motion takes."""
        return self.settings.first

    @property
    def armed(self) -> bool:
        """Whether the joints are ours."""
        return self._armed_at is not None

    @property
    def references_sent(self) -> int:
        """How many references went out since connecting."""
        return self._sender.sent if self._sender else 0

    # ---- coming and going -----------------------------------

    def connect(self) -> None:
        """Find the boards and read all that they tell; moves nothing.

        Raises:
            RobotLost: If the robot is not there, or not as its model.
        """
        if self._boards:
            return
        try:
            self._connect()
        except BaseException:
            self.disconnect()
            raise

    def preflight(self) -> list[Check]:
        """Return what to look at before it moves."""
        gate, senses = self._gate, self._senses
        if gate is None or self._writers is None or senses is None:
            raise RobotLost(f"{self._name()} is not connected")
        self._refresh()
        return check_flight(
            self._boards,
            self._map,
            gate,
            self._writers,
            self.settings,
            senses=senses.describe(),
            now=self._now(),
        )

    def arm(self) -> None:
        """Take the driven joints over where they are; may be called again.

        Raises:
            RobotLost: If a joint is in fault, driven by others, or does not obey.
        """
        with self._lock:
            self._arm()

    def recover(self) -> None:
        """Arm again soon, after a person saw to what was wrong; returns at once."""
        if self.faults.fault is not None:
            self._recover_asked = True

    def stop(self, reason: str) -> None:
        """Send nothing any more; any thread may call this. `arm` allows it again."""
        self.faults.lost(reason)
        if self._sender is not None:
            self._sender.stop()

    def disconnect(self) -> None:
        """Stop sending, give the joints back, and leave; may be called twice."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
        if self._sender is not None:
            self._sender.close()
        with self._lock:
            if self._armed_at is not None:
                for problem in give_back(self._boards, self._now):
                    _log.warning("%s", problem)
        if self._writers is not None:
            self._writers.close()
        for board in self._boards:
            board.close()
        if self._senses is not None:
            self._senses.close()
        self._boards, self._sender, self._writers = (), None, None
        self._thread, self._armed_at, self._senses = None, None, None
        self.faults = FaultKeeper()

    # ---- the loop ---------------------------------------------

    def read_state(self) -> RobotState | None:
        """Return the newest state; joints that are not driven are where they are known.

        None before `connect`.

        Raises:
            RobotStalled: While an armed robot is silent.
            RobotLost: While it waits for a person.
        """
        if self._thread is None:
            return None
        if self.armed:
            self.faults.check()
        self._refresh()
        n = self._body.kinematics.n
        q, dq, tau = np.array(self._body.neutral.q), np.zeros(n), np.zeros(n)
        for board in self._boards:
            state = board.state
            if state is None or not state.position:
                continue
            for joint in board.joints:
                if joint.joint == NO_JOINT:
                    continue
                q[joint.joint] = np.radians(state.position[joint.axis])
                if state.velocity:
                    dq[joint.joint] = np.radians(state.velocity[joint.axis])
                if state.torque:
                    tau[joint.joint] = state.torque[joint.axis]
        neutral = self._body.neutral
        R = np.array(neutral.world_R_base)
        imu = self._senses.read_imu() if self._senses is not None else None
        if imu is None:  # bolted: at rest, and as its model stands
            imu = ImuReading(np.zeros(3), R.T @ np.array([0.0, 0.0, GRAVITY]), R)
        return RobotState(
            stamp=min(board.stamp for board in self._boards),
            q=q,
            dq=dq,
            tau=tau,
            imu_acceleration=imu.acceleration,
            imu_angular_velocity=imu.angular_velocity,
            imu_world_R_base=R if imu.world_R_imu is None else imu.world_R_imu,
            foot_wrenches=np.zeros((2, 6)),
            world_p_base=np.array(neutral.world_p_base),
            world_R_base=R,
            world_v_base=np.zeros(3),
            world_w_base=np.zeros(3),
        )

    def send(self, command: JointCommand) -> JointCommand:
        """Send a command soon; return what went out last. Never blocks.

        Before `arm` nothing is sent: what is returned is where the joints are.

        Raises:
            BadInput: If a value is missing or not finite.
            RobotStalled: While the robot is silent.
            RobotLost: If it is not there, or waits for a person.
        """
        if self._sender is None:
            raise RobotLost(f"{self._name()} is not connected")
        unlimited = np.full(self._body.kinematics.n, np.inf)
        accepted = accepted_command(command, self._body, unlimited)
        if self.armed:
            self.faults.check()
            self._sender.put(self._goal(accepted), accepted.stamp)
        return self._really_sent(accepted)

    def read_feedback(self) -> RobotFeedback | None:
        """Return new pictures and forces at the hands, if there are any."""
        return None if self._senses is None else self._senses.read_feedback()

    def hold(self) -> None:
        """Ask all joints to stay where they were sent last."""
        if self._sender is not None and self._sender.last is not None:
            self._sender.put(self._sender.last.copy(), self._now())

    # ---- inside ------------------------------------------------

    def _goal(self, command: JointCommand) -> Array:
        """Return where all driven axes are to be [deg]."""
        goal = np.degrees(command.q[self._joints])
        if not self._hands.axes:
            return goal
        measured = measured_pose(self._boards, len(self._map.driven))
        axes = self._hands.goal(command.hands, measured[len(goal) :])
        return np.concatenate([goal, axes])

    def _name(self) -> str:
        prefix = self.settings.prefix or f"/{self._body.name}"
        return f"the robot {prefix} at {self.settings.host}:{self.settings.port}"

    def _connect(self) -> None:
        settings, now = self.settings, self._now
        names = NameClient(settings.host, settings.port)
        prefix = settings.prefix or f"/{self._body.name}"
        found = find_boards(names, prefix, settings.part_names)
        boards: list[BoardConnection] = []
        try:
            for place in found:
                boards.append(BoardConnection(place, names, self._own, now))
            self._map = map_axes(
                self._body.kinematics.joints,
                {board.part: board.axes for board in boards},
                all_joints=not settings.part_names,
                fingers=settings.hands == "yes",
                eyes=settings.eyes == "yes",
            )
        except BaseException:
            for opened in boards:
                opened.close()
            raise
        self._boards = choose_boards(boards, self._map)
        self._joints = np.array([j.joint for j in self._map.joints], dtype=np.intp)
        self._hands = HandAxes(self._map.fingers, self._map.eyes)
        self._gate = make_gate(self._map, self._body, settings.speed)
        for board in self._boards:
            board.listen()
        await_states(self._boards, now)
        self._senses = RobotSenses(
            self._own, names, prefix, self._body.kinematics, now=now
        )
        self._senses.open(settings.camera, settings.pictures, settings.fovy)
        self._ending.clear()
        self._sender = ReferenceSender(
            self._boards, self._gate, self.faults, now, settings.ack
        )
        self._watch = StateWatch(self._boards)
        self._writers = WriterWatch(self._boards, self._own, self.faults)
        self._thread = threading.Thread(target=self._run, name="boards", daemon=True)
        self._thread.start()

    def _await_news(self) -> None:
        """Wait a moment for states that were told after now."""
        asked = self._now()
        for board in self._boards:
            while board.arrival <= asked and self._now() < asked + NEWS:
                threading.Event().wait(0.005)
                board.refresh()

    def _refresh(self) -> None:
        for board in self._boards:
            board.refresh()

    def _arm(self) -> None:
        sender, gate, watch, writers = (
            self._sender,
            self._gate,
            self._watch,
            self._writers,
        )
        if sender is None or gate is None or watch is None or writers is None:
            raise RobotLost(f"{self._name()} is not connected")
        sender.stop()
        self._await_news()
        for fault in (watch.silent(self._now()), watch.modes(("pos", "posd", "idl"))):
            if fault is not None:
                raise fault.error()
        if self.settings.others == "no":
            for board, name in writers.look():
                raise RobotLost(writer_reason(board, name))
        for board in self._boards:
            board.drop_references()
            board.open_references()
        bring_inside(self._boards, gate, self._now)
        take_over(self._boards, self._now)
        self.faults.clear(FaultKind.LOST)
        self.faults.clear(FaultKind.STALLED)
        self._armed_at = self._now()
        sender.begin(first_pose(self._boards, len(self._map.driven)), self._ramp())
        self._moved_before = True
        if self.settings.others == "no":
            writers.begin()

    def _ramp(self) -> Array:
        """Return the speeds of the way from where the joints are [deg/s]."""
        gate = self._gate
        if gate is None:
            raise RobotLost(f"{self._name()} is not connected")
        share = 1.0 if self._moved_before else self.settings.first
        return np.minimum(gate.speed * share, self.settings.ramp)

    def _really_sent(self, command: JointCommand) -> JointCommand:
        """Return a command with the positions that went out last."""
        sender = self._sender
        last = sender.last if sender is not None and self.armed else None
        if last is None:
            last = measured_pose(self._boards, len(self._map.driven))
        q = np.array(self._body.neutral.q)
        q[self._joints] = np.radians(last[: len(self._joints)])
        q.setflags(write=False)
        return replace(command, q=q, tau=None)

    # ---- the watch ------------------------------------------------

    def _run(self) -> None:
        while not self._ending.wait(WATCH_PERIOD):
            try:
                self._look()
            except Exception as error:  # whatever it is, nothing may move any more
                self.stop(f"the watch over the boards failed: {error}")
                _log.exception("the watch over the boards failed")

    def _look(self) -> None:
        self._refresh()
        if self._watch is None or self._sender is None or not self.armed:
            return
        now = self._now()
        silent = self._watch.silent(now)
        if silent is not None:
            self.faults.tell(silent)
        fault = self.faults.fault
        if fault is None:
            self._look_closely(now)
        elif fault.kind is FaultKind.STALLED:
            self._wake(silent, now)
        elif self._recover_asked:
            self._recover_now()

    def _look_closely(self, now: float) -> None:
        """Look at modes and positions of a robot that tells them."""
        if self._watch is None or self._sender is None or self._armed_at is None:
            return
        found: list[RobotFault | None] = [self._watch.tracking(self._sender.last, now)]
        if now - self._armed_at > SETTLED:
            found.append(self._watch.modes(("posd",)))
        for fault in found:
            if fault is not None:
                self.faults.tell(fault)

    def _wake(self, silent: RobotFault | None, now: float) -> None:
        """Hold a robot where it is once it has been awake for a moment."""
        known = all(board.clock.offset is not None for board in self._boards)
        if silent is not None or not known:
            self._calm_since = None
            return
        if self._calm_since is None:
            self._calm_since = now
        if now - self._calm_since < CALM:
            return
        self._calm_since = None
        try:
            with self._lock:
                self._arm_where_it_is()
        except RobotLost as error:
            self.faults.lost(str(error))

    def _arm_where_it_is(self) -> None:
        """Go on after silence: the joints must still be ours, and are held."""
        if self._watch is None or self._sender is None:
            return
        self._sender.stop()
        wrong = self._watch.modes(("posd",))
        if wrong is not None:
            raise wrong.error()
        for board in self._boards:
            board.drop_references()
            board.open_references()
        self.faults.clear(FaultKind.STALLED)
        self._armed_at = self._now()
        self._sender.begin(
            first_pose(self._boards, len(self._map.driven)), self._ramp()
        )

    def _recover_now(self) -> None:
        self._recover_asked = False
        try:
            self.arm()
        except TelexistError as error:
            _log.warning("still not: %s", error)
            self.faults.replace(RobotFault(FaultKind.LOST, str(error)))
