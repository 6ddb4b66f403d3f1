"""Records turns for ever, 200 a second, and writes their numbers; meant to be killed.

Arguments: the file, and the largest size that a file may have [bytes], 0 for any.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import numpy as np

from robots.interface import JointCommand
from teleop import clock
from teleop.controllers.interface import RobotReference
from teleop.recording import SessionHeader, SessionRecorder
from teleop.tick import State, Tick

N = 30


def main(path: Path, limit: int) -> None:
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    names = tuple(f"joint_{k}" for k in range(N))
    header = SessionHeader(
        robot="child", joints=names, units=("rad",) * N, stamp=clock.now()
    )

    def report(kind: str, reason: str) -> None:
        path.with_suffix(".said").write_text(f"{kind}: {reason}")

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
        clock.sleep(0.005)


main(Path(sys.argv[1]), int(sys.argv[2]))
