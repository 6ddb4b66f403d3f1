"""Several controllers, one of which leads: torques go over from one to the next.

`make_controllers` takes words with commas between them; a `HandOver` is a controller.
"""

from telexist.teleop.controllers.hand_over.hand_over import Change, HandOver
from telexist.teleop.controllers.hand_over.make import (
    controller_words,
    make_controllers,
    policies_of_words,
)

__all__ = [
    "Change",
    "HandOver",
    "controller_words",
    "make_controllers",
    "policies_of_words",
]
