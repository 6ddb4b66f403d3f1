"""A balancing robot is pushed in simulation: seeded, headless, with figures.

python examples/stand_a_push.py icub 0.2
"""

from __future__ import annotations

import sys

from telexist import ScenarioOptions, run_scenario


def stands(robot: str, lateral: float, duration: float) -> bool:
    """Push with a share of the body weight for 0.2 s; return whether it stands."""
    options = ScenarioOptions(
        name="push",
        robot=robot,
        seed=7,
        duration=duration,
        push_lateral=lateral,
        push_time=1.0,
    )
    return run_scenario(options).fell_at is None


if __name__ == "__main__":
    words = sys.argv[1:] or ["icub", "0.2"]
    verdict = "stands" if stands(words[0], float(words[1]), 8.0) else "fell"
    print(f"{words[0]} {verdict}")
