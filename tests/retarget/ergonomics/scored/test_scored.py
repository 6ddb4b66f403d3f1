"""Scores of whole recordings and of live moments are those of the same person."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.dynamics import (
    OnlineDynamics,
    RecordedDynamics,
    Trust,
    dynamics_of_recording,
    person_model,
    read_person,
)
from telexist.retarget.ergonomics import ErgonomicSettings
from telexist.retarget.ergonomics.scored import (
    LiveErgonomics,
    ergonomic_arrays,
    ergonomics_lines,
    ergonomics_of_recording,
    ergonomics_report,
    load_ergonomics,
)
from telexist.retarget.errors import BadConfig
from telexist.retarget.person_dynamics import SCORES
from telexist.retarget.segments import SEGMENT_INDEX

MASS, GRAVITY = 70.0, 9.81
HANDS = [SEGMENT_INDEX["LeftHand"], SEGMENT_INDEX["RightHand"]]


@pytest.fixture(scope="module")
def still() -> RecordedDynamics:
    """Return seven seconds of a person at rest, by the built-in clip's first frame."""
    recorded = read_person(Path("builtin"))
    clip = recorded.clip
    rows = np.zeros(420, dtype=int)
    held = replace(
        clip,
        time=np.arange(420) / 60.0,
        **{
            name: getattr(clip, name)[rows]
            for name in (
                "rotations",
                "angular_velocities",
                "positions",
                "linear_velocities",
            )
        },
    )
    return dynamics_of_recording(
        replace(recorded, clip=held), mass=MASS, trust=Trust(hands=True)
    )


def carrying(result: RecordedDynamics, load: float, span: slice) -> RecordedDynamics:
    """Return the estimate of a person who holds a load for a while, with noise."""
    wrenches = result.body.wrenches.copy()
    rng = np.random.default_rng(0)
    wrenches[:, HANDS, 2] = rng.normal(0.0, 0.6, (len(wrenches), 2)) * GRAVITY / 1.4
    wrenches[span, HANDS, 2] -= 0.5 * load * GRAVITY
    spread = result.body.wrenches_sd.copy()
    spread[:, HANDS] = 0.45 * GRAVITY
    return replace(
        result, body=replace(result.body, wrenches=wrenches, wrenches_sd=spread)
    )


def test_a_lift_of_a_recording_is_found_within_a_frame(still: RecordedDynamics) -> None:
    result = carrying(still, 8.0, slice(150, 300))
    scores = ergonomics_of_recording(result, hands=True)
    assert len(scores.lifts) == 1
    lift, pace = scores.lifts[0], 1.0 / 60.0
    assert lift.start == pytest.approx(150 * pace, abs=1.01 * pace)
    assert lift.end == pytest.approx(300 * pace, abs=1.01 * pace)
    assert lift.load == pytest.approx(8.0, abs=0.3)
    assert scores.held[200] == lift.load and scores.held[10] == 0.0
    report = ergonomics_report(scores)
    json.dumps(report, allow_nan=False)
    told = report["lifts"][0]
    assert told["load_sd_kg"] == pytest.approx(0.45 * 2**0.5, rel=0.02)
    assert told["lifting_index"] == pytest.approx(lift.index)
    assert any("NIOSH lifting index" in line for line in ergonomics_lines(report))
    unloaded = ergonomics_of_recording(result, hands=False)
    assert unloaded.lifts == ()
    assert scores.rula[200].max() > unloaded.rula[200].max()
    arrays = ergonomic_arrays(scores)
    assert arrays["lift_starts"].tolist() == [lift.start]
    assert len(arrays["strength_names"]) == len(arrays["rula"])


def test_standing_still_is_hardly_a_strain(still: RecordedDynamics) -> None:
    scores = ergonomics_of_recording(still)
    assert scores.rula.max() <= 2 and scores.reba.max() <= 1
    upper = MASS * GRAVITY * 0.6  # what L5 carries is less
    assert 0.3 * upper < np.median(scores.compression) < 1.5 * upper
    stated = ergonomics_of_recording(still, ErgonomicSettings(stated_load=12.0))
    assert stated.held.tolist() == [12.0] * len(stated.time)
    assert stated.rula.max() > scores.rula.max()


def test_live_scores_are_those_of_the_recording(still: RecordedDynamics) -> None:
    clip = still.clip
    person = person_model(clip.size, MASS)
    online = OnlineDynamics(clip.size, person.mass)
    live = LiveErgonomics(ErgonomicSettings(), hands=False, seat=False)
    for k in range(60):
        online.put_frame(clip.frame(k))
        moment = online.step()
    assert moment is not None
    found = dict(zip(SCORES, live.score(moment).scores, strict=True))
    scores = ergonomics_of_recording(still)
    assert found["rula"] == scores.rula[30].max()
    assert found["reba"] == scores.reba[30].max()
    assert found["lumbar_compression"] == pytest.approx(scores.compression[30], rel=0.1)
    assert found["lifts"] == 0.0 and np.isnan(found["lift_load"])


def test_what_scores_assume_comes_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "work.toml"
    path.write_text('coupling = "poor"\n[strength]\n"hip extension" = 180.0\n')
    settings = load_ergonomics(path)
    assert settings.coupling == "poor" and settings.strength["hip extension"] == 180.0
    assert load_ergonomics(None) == ErgonomicSettings()
    for text, word in (
        ("hours = 90.0", "hours"),
        ("our = 1", "our"),
        ('coupling = "wet"', "good"),
        ("[strength]\ntail = 3.0", "hip extension"),
    ):
        path.write_text(text)
        with pytest.raises(BadConfig, match=word) as raised:
            load_ergonomics(path)
        assert "\n" not in str(raised.value)
