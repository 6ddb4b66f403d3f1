"""What touches a robot, where no sensor tells: hands' forces from the arms' torques.

States go in; the same states come out with wrenches at the hands and how far those may
be off.
"""

from telexist.robots.touch.hand_estimate import HandEstimate

__all__ = ["HandEstimate"]
