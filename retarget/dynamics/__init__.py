"""What a person's joints and contacts do: torques, wrenches, and how certain they are.

A recording with whatever forces were measured goes in; torques, moments and wrenches of
all segments come out, with their deviations. Live, `OnlineDynamics` takes frames and
forces. Frame by frame, a `BodyKnowledge` goes into a `TorqueEstimator`.
"""

from telexist.retarget.dynamics.clip_dynamics import BodyDynamics
from telexist.retarget.dynamics.dynamics_files import (
    LEG_JOINTS,
    dynamics_report,
    leg_moment,
    save_dynamics,
)
from telexist.retarget.dynamics.force_track import ForcesAt
from telexist.retarget.dynamics.online_dynamics import LAG, Moment, OnlineDynamics
from telexist.retarget.dynamics.person_model import PersonModel, person_model
from telexist.retarget.dynamics.person_motion import PersonMotion, person_motion
from telexist.retarget.dynamics.recorded_person import (
    RecordedDynamics,
    RecordedPerson,
    dynamics_of_recording,
    read_person,
)
from telexist.retarget.dynamics.torque_estimator import BodyKnowledge, TorqueEstimator
from telexist.retarget.dynamics.trust import Trust, trust_of

__all__ = [
    "BodyDynamics",
    "BodyKnowledge",
    "ForcesAt",
    "LAG",
    "LEG_JOINTS",
    "Moment",
    "OnlineDynamics",
    "PersonModel",
    "PersonMotion",
    "RecordedDynamics",
    "RecordedPerson",
    "TorqueEstimator",
    "Trust",
    "dynamics_of_recording",
    "dynamics_report",
    "leg_moment",
    "person_model",
    "person_motion",
    "read_person",
    "save_dynamics",
    "trust_of",
]
