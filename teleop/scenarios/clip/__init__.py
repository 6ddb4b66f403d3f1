"""A person who takes a robot by the hands while it plays a motion.

The robot's joints and what its hands feel go in; how far the motion's time is ahead,
and the pulls at the hands, come out.
"""

from telexist.teleop.scenarios.clip.clip_partner import ClipPartner

__all__ = ["ClipPartner"]
