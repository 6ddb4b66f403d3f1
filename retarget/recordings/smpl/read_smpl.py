"""Clips from SMPL parameters: out of archives, of PyTorch's files and of pickles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.files import array_in, read_pickled_tree, read_torch
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.recognition import clip_from_skeleton
from telexist.retarget.recordings.smpl.body_model import find_model, read_model
from telexist.retarget.recordings.smpl.body_shape import (
    SmplBody,
    average_body,
    modelled_body,
    scaled_body,
)
from telexist.retarget.recordings.smpl.parameters import SmplMotion, find_parameters
from telexist.retarget.recordings.smpl.skeleton import smpl_skeleton
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array

__all__ = ["FLAT_KEYS", "clip_from_smpl", "read_pickled_smpl", "read_torch_smpl"]

_RATE_KEYS = ("mocap_framerate", "mocap_frame_rate", "fps", "frame_rate", "framerate")
FLAT_KEYS = (
    *("poses", "pose", "pose_world", "smpl_poses", "fullpose"),
    *("root_orient", "pose_body", "global_orient", "body_pose"),
    *("trans", "transl", "trans_world", "translation", "root_trans"),
    *("betas", "beta", "shape", "frame_ids", *_RATE_KEYS),
)
"""The keys of archives that may hold something for us."""

_RATES = (1.0, 2000.0)  # [Hz]
_USUAL_RATE = 120.0  # [Hz] of most of AMASS
_VIDEO_RATE = 30.0  # [Hz] at which GVHMR and its like look at videos


def read_torch_smpl(path: Path, options: ReadOptions) -> HumanClip:
    """Read a `.pt` or `.pth`, as GVHMR leaves them.

    Raises:
        BadRecording: If it is damaged or holds no SMPL motion.
    """
    return clip_from_smpl(path, read_torch(path), options)


def read_pickled_smpl(path: Path, options: ReadOptions) -> HumanClip:
    """Read a `.pkl`, as WHAM and PromptHMR leave them.

    Raises:
        BadRecording: If it is damaged or holds no SMPL motion.
    """
    return clip_from_smpl(path, read_pickled_tree(path), options)


def clip_from_smpl(
    path: Path, tree: object, options: ReadOptions, *, gender: str = ""
) -> HumanClip:
    """Read SMPL parameters as a clip.

    Args:
        path: The file, for messages.
        tree: Tables and lists of arrays.
        options: What is known about the recording.
        gender: As the file says, to choose among several body models.

    Raises:
        BadRecording: Naming the key that is missing or has the wrong shape.
        BadModel: If the body model that the options name cannot be used.
    """
    motion = find_parameters(path, tree)
    rate, note = _rate(path, tree, motion, options)
    numbers = motion.frames
    if numbers is None:
        numbers = np.arange(len(motion.trans), dtype=np.float64)
    body = _body(path, motion, options, gender)
    usual_up = "-y" if motion.in_camera else "y" if motion.of_video else "z"
    skeleton = smpl_skeleton(
        path,
        numbers / rate,
        motion.rotations,
        motion.trans,
        body=body,
        usual_up=usual_up,
        notes=(motion.note, note, body.note),
    )
    return clip_from_skeleton(skeleton, replace(options, rate=None))


def _body(
    path: Path, motion: SmplMotion, options: ReadOptions, gender: str
) -> SmplBody:
    if options.body_model is not None:
        place = path.parent / Path(options.body_model).expanduser()
        found = find_model(place, joints=motion.joints, gender=gender.lower())
        return modelled_body(read_model(found), motion.betas)
    return average_body() if motion.betas is None else scaled_body(motion.betas)


def _rate(
    path: Path, tree: object, motion: SmplMotion, options: ReadOptions
) -> tuple[float, str]:
    if options.rate is not None:
        return options.rate, f"rate: {options.rate:g} Hz, stated"
    table: Mapping[str, Any] = tree if isinstance(tree, Mapping) else {}
    for key in _RATE_KEYS:
        if key in table:
            return _stated_rate(path, key, table[key])
    rate = _VIDEO_RATE if motion.of_video else _USUAL_RATE
    return rate, f"rate: {rate:g} Hz, assumed: the file states none"


def _stated_rate(path: Path, key: str, value: object) -> tuple[float, str]:
    found: Array | None = array_in(value)
    if found is None or found.size != 1 or found.dtype.kind not in "fiu":
        raise BadRecording(path, "is not one number", place=key)
    rate = float(found.reshape(()))
    if not _RATES[0] <= rate <= _RATES[1]:
        raise BadRecording(path, f"{rate} Hz is no frame rate", place=key)
    return rate, f"rate: {rate:g} Hz, from {key}"
