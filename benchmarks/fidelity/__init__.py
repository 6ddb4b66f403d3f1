"""An outside judge of motions: reads files alone and asks the program nothing.

In come a recording (BVH) and a result (npz) with the robot's URDF; out go figures on
limbs, feet, floor, smoothness, balance and torques. Nothing here may import the engine.
"""

from telexist.benchmarks.fidelity.bvh_points import BvhPoints, read_bvh_points
from telexist.benchmarks.fidelity.judge import Verdict, judge
from telexist.benchmarks.fidelity.judged_forces import JudgedForces, judge_forces
from telexist.benchmarks.fidelity.judged_person import JudgedPerson, judged_person
from telexist.benchmarks.fidelity.judged_robot import JudgedRobot, load_judged_robot

__all__ = [
    "BvhPoints",
    "JudgedForces",
    "JudgedPerson",
    "JudgedRobot",
    "Verdict",
    "judge",
    "judge_forces",
    "judged_person",
    "load_judged_robot",
    "read_bvh_points",
]
