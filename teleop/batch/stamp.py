"""Results that need not be computed again: stamps of what they depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.follow import RetargetSettings
from telexist.retarget.recordings import BUILTIN, ReadOptions
from telexist.retarget.robot_body import RobotBody
from telexist.teleop.batch.clips import ClipSource
from telexist.teleop.batch.job import Job, JobOutcome, RobotChoice

__all__ = ["STAMP", "body_fingerprint", "clip_stamp", "kept_outcome", "made_from"]

STAMP = "made_from"
"""Key of the stamp in a report."""


def clip_stamp(clip: ClipSource, options: ReadOptions | None) -> dict[str, Any]:
    """Return what the human motion depends on."""
    stamp: dict[str, Any] = {"source": clip.path}
    if clip.path != BUILTIN:
        stamp["source"] = str(Path(clip.path).resolve())
        stamp["source_sha256"] = _file_hash(Path(clip.path))
    stamp |= {key: True for key in ("mirrored", "trimmed") if getattr(clip, key)}
    beside = Path(clip.path).with_suffix(".toml")
    if options is not None:
        stamp["options"] = _plain(options.stated())
    elif beside.is_file():
        stamp["options_sha256"] = _file_hash(beside)
    return stamp


def made_from(
    clip: Mapping[str, Any], robot: RobotChoice, settings: RetargetSettings
) -> dict[str, Any]:
    """Return what the result of a clip on a robot depends on."""
    return dict(
        clip,
        robot_sha256=robot.fingerprint,
        settings=_plain(asdict(settings)),
        telexist=version("telexist"),
    )


def kept_outcome(job: Job) -> JobOutcome | None:
    """Return the outcome of an earlier run that this job would only repeat.

    Also refuses, as failed, to replace the result of another recording.
    """
    try:
        report = json.loads(job.report.read_text(encoding="utf-8"))
        stamp = report[STAMP]
        source = stamp["source"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if source != job.stamp["source"]:
        reason = (
            f"{job.report} is the result of another recording, {source}: "
            "--overwrite replaces it, --out writes elsewhere"
        )
        return JobOutcome(job=job, status="failed", reason=reason)
    if stamp != job.stamp or not all(path.is_file() for path in job.outputs()):
        return None
    return JobOutcome(job=job, status="kept", report=report)


def body_fingerprint(body: RobotBody) -> str:
    """Return a hash of everything that the engine sees of a robot."""
    kinematics = body.kinematics
    kinematics.update(body.neutral)
    frames = [kinematics.frame(link) for link in kinematics.links]
    axis_points, axes = kinematics.joint_axes()
    arrays = (
        kinematics.positions(frames),
        kinematics.rotations(frames),
        axis_points,
        axes,
        body.neutral.q,
        body.lower,
        body.upper,
        body.velocity,
    )
    parts = (
        (kinematics.joints, kinematics.links, body.fixed_base, sorted(body.hands)),
        (sorted(body.links.items()), sorted(body.weights.items()), body.locked),
        (body.couplings, body.mimics),
        [(side, repr(sole)) for side, sole in sorted(body.soles.items())],
        [(k, link, p.tolist()) for k, (link, p) in sorted(body.points.items())],
        [(k, d.tolist()) for k, d in sorted(body.limb_directions.items())],
    )
    digest = hashlib.sha256(repr(parts).encode("utf-8"))
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _file_hash(path: Path) -> str:
    """Return the hash of a file; of one that cannot be read, the reason."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:  # its job will fail on reading it, and say so
        return str(error)


def _plain(values: Mapping[str, Any]) -> Any:
    """Return the values as JSON gives them back."""
    return json.loads(json.dumps(dict(values), default=lambda v: dict(v)))
