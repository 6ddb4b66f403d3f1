"""The MuJoCo back end: a simulated robot that is commanded like a real one."""

from telexist.robots.mujoco.robot.make import make

__all__ = ["make"]
