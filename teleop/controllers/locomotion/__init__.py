"""The balancing and walking controllers: sensors and references in, torques out."""

from telexist.teleop.controllers.locomotion.balance_controller import make_balance
from telexist.teleop.controllers.locomotion.locomotion import LocomotionController
from telexist.teleop.controllers.locomotion.walk_controller import (
    WalkController,
    make_walk,
)

__all__ = ["LocomotionController", "WalkController", "make_balance", "make_walk"]
