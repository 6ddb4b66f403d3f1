"""The loop of a recorded session, made again from what the recording says."""

from __future__ import annotations

from telexist.calibration import OperatorProfile
from telexist.retarget.errors import BadInput, BadRecording
from telexist.retarget.reach import choose_retargeter
from telexist.retarget.signals import HumanFrame
from telexist.robots.description import RobotModel as LoadedRobot
from telexist.robots.mujoco import drive_bounds
from telexist.teleop.loop import Follower, OperatorMotion, ReferenceMaker, TeleopLoop
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.replay.recompute import (
    RecordedParts,
    RunComparison,
    recompute,
)
from telexist.teleop.settings import (
    SessionSettings,
    settings_from_text,
    smoothing_times,
)

__all__ = ["check_session"]


def check_session(reader: SessionReader, robot: LoadedRobot) -> RunComparison:
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
    return recompute(reader, robot.body, lambda p: _loop(robot, settings, p))


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
