"""Records turns for ever, 200 a second, and writes their numbers; meant to be killed.

Arguments: the file, and how much room the disk has left once the file has `BEGUN`
bytes, 0 for any. The largest size that the file may have then is written beside it.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import numpy as np
from telexist.robots.base.interface import JointCommand
from telexist.teleop import clock
from telexist.teleop.recording.session_header import SessionHeader
from telexist.teleop.recording.session_recorder import SessionRecorder
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.tick import State, Tick

N = 30
BEGUN = 150_000  # [bytes] more than 20 turns, even if none of them were compressed


def main(path: Path, room: int) -> None:
    names = tuple(f"joint_{k}" for k in range(N))
    header = SessionHeader(
        robot="child", joints=names, units=("rad",) * N, stamp=clock.now()
    )

    def report(kind: str, reason: str) -> None:
        whole = path.with_suffix(".writing")
        whole.write_text(f"{kind}: {reason}")
        whole.rename(path.with_suffix(".said"))  # there at once, or not at all

    recorder = SessionRecorder(path, header, report=report)
    rng = np.random.default_rng(1)
    for number in range(10**9):
        stamp = clock.now()
        q = rng.normal(size=N)
        q[0] = number / 7.0
        recorder.put(
            Tick(
                number=number,
                stamp=stamp,
                period=0.005,
                state=State.ACTIVE,
                reference=RobotReference(stamp=stamp, q=q, dq=q, ddq=q),
                command=JointCommand(stamp=stamp, q=q, dq=q),
            )
        )
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
        if room and path.stat().st_size > BEGUN:
            fill_disk(path, room)
            room = 0
        clock.sleep(0.005)


def fill_disk(path: Path, room: int) -> None:
    """Let no file grow beyond what this one has now and some room [bytes]."""
    limit = path.stat().st_size + room
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    largest = max(limit, path.stat().st_size)  # a chunk may have come meanwhile
    path.with_suffix(".limit").write_text(str(largest))


main(Path(sys.argv[1]), int(sys.argv[2]))
