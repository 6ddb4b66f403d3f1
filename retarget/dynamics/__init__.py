"""What a person's joints and contacts do: torques, wrenches, and how certain they are.

Joint motion and what is known of the forces go in, as a `BodyKnowledge`; torques,
accelerations and wrenches of all links come out, with their covariances.
"""

from telexist.retarget.dynamics.person_model import PersonModel, person_model
from telexist.retarget.dynamics.torque_estimator import BodyKnowledge, TorqueEstimator

__all__ = ["BodyKnowledge", "PersonModel", "TorqueEstimator", "person_model"]
