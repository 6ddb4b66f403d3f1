"""What can go wrong in a session, one word each."""

from __future__ import annotations

import enum

__all__ = ["Fault"]


class Fault(enum.StrEnum):
    """A kind of fault; what is done about each is the table `REACTIONS`."""

    # the operator's stream
    STALE = "stale"  # no sample within the deadline
    FROZEN = "frozen"  # samples that do not change at all
    JUMP = "jump"  # the person cannot have moved like that
    LIMB_FROZEN = "limb_frozen"  # a limb does not turn with what carries it
    ADRIFT = "adrift"  # the whole body moves or tilts, feet and all
    VELOCITY = "velocity"  # stated velocities are not those of the poses
    IMPLAUSIBLE = "implausible"  # nobody can stand like that
    INCOMPLETE = "incomplete"  # a segment that is followed is missing
    NAN = "nan"  # not a number, or not a rotation
    BACKWARDS = "backwards"  # older than the last sample
    REFUSED = "refused"  # lost, late, a stranger's: what else devices drop
    DEAD_MAN = "dead_man"  # the switch was let go
    DEVICE_LOST = "device_lost"  # unplugged, or its reader died
    BUTTONS_LOST = "buttons_lost"  # nobody can press the page's emergency stop
    INPUT_STALE = "input_stale"  # walking, treadmill: silent; its command is zero
    FORCES = "forces"  # what the feet feel is unknown
    # our own part
    SOLVER = "solver"  # the inverse kinematics gave up
    CONTROLLER = "controller"  # the controller gave up
    HANDED_BACK = "handed_back"  # it went astray, and the one that stands leads
    OVERRUN = "overrun"  # a turn came late
    STALLED = "stalled"  # a turn came very late
    CRASHED = "crashed"  # an error of our own in a turn
    DYNAMICS_LOST = "dynamics_lost"  # no torques of the person any more
    OUTLET_LOST = "outlet_lost"  # a recording, page or summary that failed
    WATCHDOG = "watchdog"  # it took the robot from a loop that was silent
    WATCHDOG_LOST = "watchdog_lost"  # nobody would stop a dead loop
    # the robot
    TRACKING = "tracking"  # the joints are not where they were sent
    ROBOT_STALE = "robot_stale"  # no state within the deadline
    ROBOT_LOST = "robot_lost"  # it cannot be reached
    FALL = "fall"
    CAMERA_LOST = "camera_lost"  # no more pictures; the robot goes on

    @classmethod
    def of(cls, word: str) -> Fault | None:
        """Return the fault that a device's word names, or None."""
        return cls._value2member_map_.get(word)  # type: ignore[return-value]
