"""MuJoCo's warnings as lines of our log; by itself it writes a file where it runs."""

from __future__ import annotations

import logging

import mujoco

__all__ = ["log_mujoco_warnings"]

_log = logging.getLogger(__name__)


def log_mujoco_warnings() -> None:
    """Log what MuJoCo warns of, in this process, from now on; may be called twice."""
    mujoco.set_mju_user_warning(_warn)


def _warn(text: str) -> None:
    _log.warning("MuJoCo: %s", text)
