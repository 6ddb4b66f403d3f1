"""What passes between the parts of a balancing controller: types only."""

from telexist.teleop.controllers.terms.applied_forces import AppliedForces
from telexist.teleop.controllers.terms.contact_cone import (
    CONE_ROWS,
    FRICTION,
    SIDES,
    contact_cone,
)
from telexist.teleop.controllers.terms.intent import Intent, dcm_feedback, stay
from telexist.teleop.controllers.terms.measured import Measured, measure
from telexist.teleop.controllers.terms.whole_body_tasks import (
    FootTask,
    TaskWeights,
    WholeBodyTasks,
)

__all__ = [
    "AppliedForces",
    "CONE_ROWS",
    "FRICTION",
    "FootTask",
    "Intent",
    "Measured",
    "SIDES",
    "TaskWeights",
    "WholeBodyTasks",
    "contact_cone",
    "dcm_feedback",
    "measure",
    "stay",
]
