"""A live session without a page: an operator drives a simulated robot, recorded.

python examples/drive_a_robot.py walk.bvh sessions
"""

from __future__ import annotations

import sys
from pathlib import Path

from telexist import Session, SessionPlan


def drive(source: str, folder: Path, *, seconds: float, backend: str) -> Path:
    """Drive for some seconds; return the recording."""
    plan = SessionPlan(
        robot="icub",
        source=source,  # "xsens", "vmc", "openvr", a recording, ...
        backend=backend,  # "mujoco"; "fake" moves nothing
        record=folder,
        engage=True,
        duration=seconds,
    )
    session = Session(plan)
    for line in session.open():
        print(line)
    summary = session.run()
    print(f"{summary.samples} samples, latency p50 {summary.latency_ms[0]:.1f} ms")
    return max(folder.glob("*.mcap"))


if __name__ == "__main__":
    words = sys.argv[1:] or ["builtin", "sessions"]
    print(drive(words[0], Path(words[1]), seconds=10.0, backend="mujoco"))
