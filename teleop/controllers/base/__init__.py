"""What every controller does, and the table of them."""

from telexist.teleop.controllers.base.interface import Controller, Several, TakesOver
from telexist.teleop.controllers.base.table import make_controller

__all__ = ["Controller", "Several", "TakesOver", "make_controller"]
