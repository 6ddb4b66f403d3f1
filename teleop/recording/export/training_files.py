"""The operator's retargeted motion in the files that trainers load."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.results import save_motion
from telexist.retarget.signals import RobotMotion
from telexist.retarget.training import TrainingOptions
from telexist.robots.description import load_robot, model_tree
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.export.episodes import engaged_spans
from telexist.teleop.recording.export.options import ExportOptions

__all__ = ["export_training"]

_NEEDED = ("stamp", "q", "dq", "world_p_base", "world_R_base", "planted")


def export_training(
    reader: SessionReader, out: Path, options: ExportOptions, dialect: str
) -> tuple[str, ...]:
    """Write one motion for each stretch in which the operator was engaged.

    It is the motion that the robot was asked for, with its free base: what a policy is
    to follow. How the robot did is in the other formats.

    Raises:
        BadRecording: If nobody was engaged, or the robot is not on this machine.
        BadInput: If the robot cannot have this dialect.
    """
    model = model_tree(load_robot(reader.header.robot, options.models))
    training = TrainingOptions(fps=Fraction(options.fps).limit_denominator(1001))
    motions = _motions(reader, options)
    for number, motion in enumerate(motions):
        stem = f"{reader.path.stem}_{number:03d}.{model.robot}"
        save_motion(out, stem, motion, (dialect,), model=model, training=training)
    return (f"{len(motions)} motions at {options.fps:g} Hz",)


def _motions(reader: SessionReader, options: ExportOptions) -> list[RobotMotion]:
    targets = reader.arrays("targets")
    if not set(_NEEDED) <= targets.keys():
        raise BadRecording(reader.path, "holds no retargeted motion")
    found = []
    for begin, end in engaged_spans(reader, options):
        inside = _rising(targets, begin, end)
        if np.count_nonzero(inside) > 1:
            found.append(_motion(reader, {k: targets[k][inside] for k in _NEEDED}))
    if not found:
        problem = "nobody was engaged long enough: --whole exports all of it"
        raise BadRecording(reader.path, problem)
    return found


def _rising(targets: dict[str, np.ndarray], begin: float, end: float) -> np.ndarray:
    """Return which samples lie in a span, are finite and later than all before."""
    stamps = targets["stamp"]
    good = (stamps >= begin) & (stamps <= end)
    for name in _NEEDED[:-1]:
        good &= np.isfinite(targets[name]).reshape(len(good), -1).all(axis=1)
    latest = np.maximum.accumulate(np.where(good, stamps, -np.inf))
    good[1:] &= stamps[1:] > latest[:-1]
    return good


def _motion(reader: SessionReader, arrays: dict[str, np.ndarray]) -> RobotMotion:
    planted = arrays["planted"].astype(bool)
    return RobotMotion(
        robot=reader.header.robot,
        source=reader.path.name,
        time=arrays["stamp"] - arrays["stamp"][0],
        joint_names=reader.header.joints,
        joint_positions=arrays["q"],
        joint_velocities=arrays["dq"],
        base_position=arrays["world_p_base"],
        base_rotation=arrays["world_R_base"],
        contact_left=planted[:, 0],
        contact_right=planted[:, 1],
    )
