"""Standing as phases: what is measured and where the operator stands in, intent out.

`Standing` holds one phase at a time and asks it for the next: `TwoFeet`, `WeightShift`,
`Unloading`, `OneFoot`, `PuttingDown`.
"""

from telexist.teleop.controllers.standing.stand_phase import OperatorFeet
from telexist.teleop.controllers.standing.standing import Standing

__all__ = ["OperatorFeet", "Standing"]
