"""The loop of a recorded session, made again from what the recording says."""

from __future__ import annotations

from calibration.operator_profile import OperatorProfile
from retarget.errors import BadInput, BadRecording
from retarget.reach.choose import choose_retargeter
from retarget.signals import HumanFrame
from robots.body import Robot as LoadedRobot
from robots.drive_accelerations import drive_bounds
from teleop.loop import TeleopLoop
from teleop.operator_motion import Follower, OperatorMotion
from teleop.recording.rerun import Comparison, RecordedParts, rerun
from teleop.recording.session_reader import SessionReader
from teleop.reference_maker import ReferenceMaker
from teleop.settings import SessionSettings
from teleop.settings_text import settings_from_text
from teleop.smoothing_times import smoothing_times

__all__ = ["check_session"]


def check_session(reader: SessionReader, robot: LoadedRobot) -> Comparison:
    """Run a session again with its own settings and compare.

    Args:
        reader: The session.
        robot: Its robot.

    Raises:
        BadRecording: If the session is of another robot or its settings are damaged.
    """
    joints = tuple(robot.body.kinematics.joints)
    if joints != reader.header.joints:
        problem = f"its joints are not those of {robot.body.name}: name its robot"
        raise BadRecording(reader.path, problem)
    try:
        settings = settings_from_text(reader.text("configuration"))
    except BadInput as error:
        raise BadRecording(reader.path, str(error), place="configuration") from error
    return rerun(reader, robot.body, lambda p: _loop(robot, settings, p))


def _loop(
    robot: LoadedRobot, settings: SessionSettings, parts: RecordedParts
) -> TeleopLoop:
    def follower(profile: OperatorProfile, frame: HumanFrame) -> Follower:
        placed = frame.positions is not None
        return parts.follower(
            choose_retargeter(robot.body, profile.size, frame.segments, placed=placed)
        )

    times, safety = smoothing_times(robot, settings.smoothing), settings.safety
    bounds = drive_bounds(robot, speed=safety.speed, acceleration=safety.acceleration)
    return TeleopLoop(
        devices=parts.input,
        robot=parts.robot,
        controller=parts.controller,
        motion=OperatorMotion(follower, settings.safety),
        reference=ReferenceMaker(robot.body, bounds, times, settings),
        settings=settings,
        make_capture=parts.capture,
    )
