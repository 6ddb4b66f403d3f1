"""Two agents that hold each other, and a law that lets the partner help.

The dynamics of a robot and of whoever holds its hands go in; wrenches and accelerations
of the two together come out, and the torques of the partner-aware law, as a witness of
the thesis and for comparison. Tirupachuri's thesis, chapter 8, (8.14)-(8.46).
"""

from telexist.retarget.partner.agent_dynamics import AgentDynamics, shifted
from telexist.retarget.partner.coupled_dynamics import CoupledDynamics
from telexist.retarget.partner.partner_law import (
    PartnerTerms,
    coupled_terms,
    felt_terms,
)
from telexist.retarget.partner.velocity_task import VelocityTask

__all__ = [
    "AgentDynamics",
    "CoupledDynamics",
    "PartnerTerms",
    "VelocityTask",
    "coupled_terms",
    "felt_terms",
    "shifted",
]
