"""Walking as phases: what is measured and a command in, what feet and ZMP do out.

`Walking` holds one phase at a time and asks it for the next: `FirstShift` or
`RecoveryShift`, then `SingleSupport` and `DoubleSupport` in turn, then `ComingToRest`.
"""

from telexist.teleop.controllers.walking.walking import Walking

__all__ = ["Walking"]
