"""A robot's description from its URDF alone.

Topology and geometry go in; base, limbs, sides, facing, neutral posture, soles and
palms come out. Names play no part.
"""

from telexist.robots.draft.draft import Draft, draft_robot

__all__ = ["Draft", "draft_robot"]
