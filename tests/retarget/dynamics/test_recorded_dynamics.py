"""Recordings against what other programs and plates say of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.dynamics import (
    RecordedDynamics,
    Trust,
    dynamics_of_recording,
    leg_moment,
    read_person,
)
from telexist.retarget.errors import BadRecording, UsageError
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.c3d import c3d_capture
from telexist.retarget.recordings.opensim_tables import read_table
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array

GRAVITY = 9.81
WALK = "opensim_core/example3DWalking"
OPENSIM = {
    "hip flexion": "hip_flexion_{}_moment",
    "knee flexion": "knee_angle_{}_moment",
    "ankle dorsiflexion": "ankle_angle_{}_moment",
}


def rmse(a: Array, b: Array) -> float:
    return float(np.sqrt(np.mean((a - b) ** 2)))


def walk(shared_motions: Path) -> RecordedDynamics:
    folder = shared_motions / WALK
    recorded = read_person(
        folder / "markers_walk.trc",
        forces=folder / "grf_walk.mot",
        options=ReadOptions(static="subject_walk_scaled.osim"),
    )
    return dynamics_of_recording(recorded, mass=85.3)


def test_a_walk_has_the_moments_that_opensim_published(shared_motions: Path) -> None:
    result = walk(shared_motions)
    table = read_table(shared_motions / WALK / "id_walk.sto")
    time = result.body.time
    inside = (time >= 0.5) & (time <= 1.6)
    bounds = {"hip flexion": 8.0, "knee flexion": 6.5, "ankle dorsiflexion": 8.5}
    for joint, bound in bounds.items():
        misses, likeness = [], []
        for side in ("Left", "Right"):
            column = table.column(OPENSIM[joint].format(side[0].lower()))
            theirs = np.interp(time, table.time, column)[inside]
            ours = leg_moment(result, side, joint)[0][inside]
            misses.append(rmse(ours, theirs))
            likeness.append(np.corrcoef(ours, theirs)[0, 1])
        assert np.mean(misses) < bound, joint
        assert np.mean(likeness) > 0.965, joint
    assert {note.split(": ")[1][:5] for note in result.notes[-3:]} == {"right", "left "}


def test_a_child_has_the_moments_of_plug_in_gait(shared_motions: Path) -> None:
    path = shared_motions / "biomechzoo/HC002D06.c3d"
    recorded = read_person(path, options=ReadOptions(static="HC002D02.c3d"))
    result = dynamics_of_recording(recorded)
    assert result.person.mass == pytest.approx(32.1, abs=0.05)  # as the file says
    curves = c3d_capture(path).curves
    for joint, name, bound in (
        ("hip flexion", "HipMoment", 0.15),
        ("knee flexion", "KneeMoment", 0.08),
        ("ankle dorsiflexion", "AnkleMoment", 0.05),
    ):
        for s, side in enumerate(("Left", "Right")):
            on_plate = result.body.measured[:, s] & result.body.contact[:, s]
            theirs = curves[side[0] + name][on_plate, 0] / 1000.0  # N mm/kg
            ours = -leg_moment(result, side, joint)[0][on_plate]
            assert rmse(ours / result.person.mass, theirs) < bound, (joint, side)


def test_without_plates_the_forces_are_nearly_those_of_the_plates(
    shared_motions: Path,
) -> None:
    with_plates = walk(shared_motions)
    recorded = read_person(
        shared_motions / WALK / "markers_walk.trc",
        options=ReadOptions(static="subject_walk_scaled.osim"),
    )
    result = dynamics_of_recording(recorded, mass=85.3)
    weight = result.person.mass * GRAVITY
    assert not result.body.measured.any()
    for s, side in enumerate(("Left", "Right")):
        foot = SEGMENT_INDEX[f"{side}Foot"]
        known = with_plates.body.measured[:, s]
        truth = with_plates.body.wrenches[known, foot, 2]
        found = result.body.wrenches[known, foot, 2]
        assert rmse(found, truth) < 0.05 * weight
        assert np.corrcoef(found, truth)[0, 1] > 0.99
        spread = result.body.wrenches_sd[known, foot, 2]
        inside = np.abs(found - truth) <= 1.96 * spread
        assert inside.mean() > 0.90
        told = with_plates.body.contact[known, s] == result.body.contact[known, s]
        assert told.mean() > 0.95
        assert found.min() > -1.0  # [N] no foot pulls


def test_a_person_at_rest_is_carried_by_both_feet() -> None:
    """The built-in person stands in N-pose at first."""
    recorded = read_person(Path("builtin"))
    still = recorded.clip.time < 1.0
    clip = recorded.clip
    clip = replace(
        clip,
        **{
            name: getattr(clip, name)[still]
            for name in (
                "time",
                "rotations",
                "angular_velocities",
                "positions",
                "linear_velocities",
            )
        },
    )
    result = dynamics_of_recording(replace(recorded, clip=clip), mass=70.0)
    feet = [SEGMENT_INDEX[f"{side}Foot"] for side in ("Left", "Right")]
    carried = result.body.wrenches[:, feet, 2]
    assert np.allclose(carried.sum(axis=1), 70.0 * GRAVITY, atol=3.0)
    assert np.allclose(carried[:, 0], carried[:, 1], atol=20.0)
    held = dynamics_of_recording(
        replace(recorded, clip=clip), mass=70.0, trust=Trust(hands=True)
    )
    hand = SEGMENT_INDEX["LeftHand"]
    load, spread = held.body.wrenches[:, hand, 2], held.body.wrenches_sd[:, hand, 2]
    assert np.abs(load).max() < 2.0 * spread.min()  # never a number without deviation


def test_forces_that_cannot_be_used_are_one_clear_line(
    shared_motions: Path, tmp_path: Path
) -> None:
    folder = shared_motions / WALK
    text = (folder / "grf_walk.mot").read_text().splitlines()
    cut = tmp_path / "cut.mot"
    cut.write_text("\n".join(text[:100]))
    no_y = tmp_path / "no_y.mot"
    no_y.write_text("\n".join(text).replace("ground_force_r_vy", "nothing"))
    turned = tmp_path / "turned.mot"
    swapped = "\n".join(text).replace("_vy", "_vq").replace("_vz", "_vy")
    turned.write_text(swapped.replace("_vq", "_vz"))
    for path, word in ((cut, "cut off"), (no_y, "y and z"), (turned, "other axes")):
        with pytest.raises(BadRecording, match=word) as raised:
            read_person(folder / "markers_walk.trc", forces=path)
        assert "\n" not in str(raised.value)
    with pytest.raises(UsageError, match="trc"):
        read_person(Path("builtin"), forces=cut)
