"""What the rpc port of a YARP 3 board answers."""

from __future__ import annotations

from collections.abc import Callable

from telexist.robots.yarp.simulated.axis_motion import AxisMotion
from telexist.robots.yarp.wire import FAIL, OK, Bottle, CodedList, Envelope, Item, Vocab

__all__ = ["answer_yarp_3"]

IS, STAMP = Vocab("is"), Vocab("tsta")
REVOLUTE = 1987212385  # "atrv" as a number


def answer_yarp_3(
    question: Bottle, motion: AxisMotion, stamp: Callable[[], Envelope]
) -> Bottle:
    """Return the reply to a question; [fail] to what is not known."""
    words: Bottle = [w.word if isinstance(w, Vocab) else w for w in question]
    try:
        if words[:1] == ["get"]:
            return _get(words[1:], motion, stamp)
        if words[:1] == ["set"]:
            return _set(words[1:], motion)
    except (IndexError, TypeError, ValueError, AttributeError):
        pass
    return [FAIL]


def _get(
    words: list[Item], motion: AxisMotion, stamp: Callable[[], Envelope]
) -> Bottle:
    def told(*items: Item, head: Bottle) -> Bottle:
        now = stamp()
        return [*head, *items, STAMP, now.sequence, now.time, OK]

    what = str(words[0])
    name: Bottle = [IS, Vocab(what)]
    if what == "prot":
        return [Vocab("prot"), 1, 9, 0, OK]
    if what == "axes":
        return told(len(motion.axes), head=name)
    if what == "encs":
        return told(motion.measure(), head=name)
    if what == "dons":
        return told(int(motion.resting), head=name)
    if what == "intm" and words[1] == "mods":
        modes = [Vocab("" if mode == "stif" else mode) for mode in motion.interactions]
        return told(list(modes), head=[])
    if what == "icmd" and words[1] == "cmds":
        return told([Vocab(m) for m in motion.modes], head=[IS, Vocab("cmds")])
    j = _index(words[2] if what == "icmd" else words[1], motion)
    if what == "icmd" and words[1] == "cmod":
        return told(Vocab(motion.modes[j]), head=[IS, j])
    axis = motion.axes[j]
    known: dict[str, list[Item]] = {
        "name": [axis.name],
        "type": [REVOLUTE],
        "llim": [axis.lower, axis.upper],
        "vlim": [0.0, axis.speed],
        "enc": [motion.measure()[j]],
    }
    return told(*known[what], head=name) if what in known else [FAIL]


def _set(words: list[Item], motion: AxisMotion) -> Bottle:
    what = words[0]
    if what == "icmd" and words[1] == "cmds":
        for j, mode in enumerate(_values(words[2], motion)):
            motion.set_mode(j, mode.word)  # type: ignore[union-attr]
    elif what == "icmd" and words[1] == "cmod":
        motion.set_mode(_index(words[2], motion), str(words[3]))
    elif what == "intm" and words[1] == "mode":
        motion.interactions[_index(words[2], motion)] = str(words[3])
    elif what == "vels":
        for j, value in enumerate(_values(words[1], motion)):
            motion.set_speed(j, float(value))  # type: ignore[arg-type]
    elif what == "poss":
        for j, value in enumerate(_values(words[1], motion)):
            motion.move(j, float(value))  # type: ignore[arg-type]
    elif what == "vel":
        motion.set_speed(_index(words[1], motion), float(words[2]))  # type: ignore[arg-type]
    elif what == "pos":
        motion.move(_index(words[1], motion), float(words[2]))  # type: ignore[arg-type]
    elif what == "sto":
        motion.stop(_index(words[1], motion))
    else:
        return [FAIL]
    return [OK]


def _index(item: Item, motion: AxisMotion) -> int:
    """Return the number of an axis; a wrong one ends the real board's process."""
    if not isinstance(item, int) or not 0 <= item < len(motion.axes):
        raise IndexError(item)
    return item


def _values(item: Item, motion: AxisMotion) -> list[Item]:
    if not isinstance(item, list | CodedList) or len(item) != len(motion.axes):
        raise ValueError("one value for each axis")
    return list(item)
