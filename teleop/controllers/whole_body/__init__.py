"""Torques by one quadratic program: tasks and contacts in, joint torques out."""

from telexist.teleop.controllers.whole_body.whole_body_qp import (
    WholeBodyQp,
    WholeBodySolution,
)

__all__ = ["WholeBodyQp", "WholeBodySolution"]
