"""The controller of a robot on its pole: references pass to its servos."""

from telexist.teleop.controllers.servo.servo import make_servo

__all__ = ["make_servo"]
