"""What exists to check the engine: slow, plain, written another way.

The same targets and limits go in as in `ik` and `follow`; tests and benchmarks compare
what comes out.
"""

from telexist.retarget.witness.human_targets import HumanTargets
from telexist.retarget.witness.reference_ik import ReferenceIk

__all__ = ["HumanTargets", "ReferenceIk"]
