"""Following hands and head alone, as a headset with controllers shows them.

The same frames go in as to `follow`, with fewer segments; the same `RobotFrame`s come
out.
"""

from telexist.retarget.reach.choose import choose_retargeter

__all__ = ["choose_retargeter"]
