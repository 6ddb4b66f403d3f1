"""What the rpc port of a YARP 4 board answers."""

from __future__ import annotations

from collections.abc import Callable

from telexist.robots.yarp.simulated.axis_motion import AxisMotion
from telexist.robots.yarp.wire import FAIL, OK, Bottle, CodedList, Envelope, Item, Vocab

__all__ = ["answer_yarp_4"]

GOOD = CodedList([OK], 0)


def answer_yarp_4(
    question: Bottle, motion: AxisMotion, stamp: Callable[[], Envelope]
) -> Bottle:
    """Return the reply to a question; [fail] to what is not known."""
    if not question or not isinstance(question[0], str):
        return []
    try:
        return _asked(question[0], list(question[1:]), motion, stamp)
    except (IndexError, TypeError, ValueError, AttributeError):
        return CodedList([FAIL], 0)


def _asked(
    what: str, words: list[Item], motion: AxisMotion, stamp: Callable[[], Envelope]
) -> Bottle:
    count = len(motion.axes)
    if what == "getAxesRPC":
        return [GOOD, count]
    if what == "getEncoderAllRPC":
        return [GOOD, motion.measure()]
    if what == "getEncoderTimedAllRPC":
        return [GOOD, motion.measure(), [stamp().time] * count]
    if what == "getInteractionModesAllRPC":
        return [GOOD, [0] * count]
    if what == "setControlModeAllRPC":
        for j, mode in enumerate(_numbers(words[0], motion)):
            motion.set_mode(j, Vocab.of(int(mode)).word)
        return CodedList([OK], 0)
    if what == "stopAllRPC":
        for j in range(count):
            motion.stop(j)
        return CodedList([OK], 0)
    j = int(words[0])  # type: ignore[arg-type]
    if not 0 <= j < count:
        return [CodedList([Vocab("err7")], 0)]
    return _of_axis(what, j, words, motion)


def _of_axis(what: str, j: int, words: list[Item], motion: AxisMotion) -> Bottle:
    axis = motion.axes[j]
    if what == "getAxisNameRPC":
        return [GOOD, axis.name]
    if what == "getPosLimitsRPC":
        return [GOOD, axis.lower, axis.upper]
    if what == "getVelLimitsRPC":
        return [GOOD, -axis.speed, axis.speed]
    value = float(words[1])  # type: ignore[arg-type]
    if what == "setControlModeOneRPC":
        motion.set_mode(j, Vocab.of(int(value)).word)
    elif what == "setTrajSpeedOneRPC":
        motion.set_speed(j, value)
    elif what == "positionMoveOneRPC":
        motion.move(j, value)
    else:
        return CodedList([FAIL], 0)
    return CodedList([OK], 0)


def _numbers(item: Item, motion: AxisMotion) -> list[float]:
    if not isinstance(item, list | CodedList) or len(item) != len(motion.axes):
        raise ValueError("one value for each axis")
    return [float(value) for value in item]  # type: ignore[arg-type]
