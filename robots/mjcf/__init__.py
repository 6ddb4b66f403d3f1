"""MJCF files of MuJoCo, everywhere a URDF is taken.

A model of either kind goes in; the tree of links and joints comes out that the rest of
the house knows, with what could not be carried over said in its notes.
"""

from telexist.robots.mjcf.load_mjcf import load_mjcf
from telexist.robots.mjcf.mujoco_warnings import log_mujoco_warnings
from telexist.robots.mjcf.read_model import is_mjcf, model_text, read_model

__all__ = ["is_mjcf", "load_mjcf", "log_mujoco_warnings", "model_text", "read_model"]
