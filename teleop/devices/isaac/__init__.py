"""Xsens' preset "Isaac Teleop" and NVIDIA IsaacTeleop: datagrams in, frames out."""

from telexist.teleop.devices.isaac.body24_frames import Body24Frames
from telexist.teleop.devices.isaac.isaac_stream import ISAAC_PORT, IsaacStream
from telexist.teleop.devices.isaac.make import make
from telexist.teleop.devices.isaac.xtlp import XtlpFrame, build_xtlp, parse_xtlp

__all__ = [
    "Body24Frames",
    "ISAAC_PORT",
    "IsaacStream",
    "XtlpFrame",
    "build_xtlp",
    "make",
    "parse_xtlp",
]
