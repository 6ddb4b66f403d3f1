"""Live estimates against recorded ones, and every fault of a force sensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.dynamics import (
    Moment,
    OnlineDynamics,
    RecordedDynamics,
    dynamics_of_recording,
    read_person,
)
from telexist.retarget.errors import BadFrame
from telexist.retarget.person_dynamics import (
    GroundForces,
    PersonDynamics,
    SensorState,
)
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.opensim_tables import read_table
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array

MASS = 70.0
WEIGHT = MASS * 9.81
FEET = [SEGMENT_INDEX["LeftFoot"], SEGMENT_INDEX["RightFoot"]]
Change = Callable[[int, GroundForces], GroundForces | None]


@cache
def whole(seconds: float = 6.0) -> RecordedDynamics:
    """The first seconds of the built-in person, and what they feel."""
    recorded = read_person(Path("builtin"))
    kept = recorded.clip.time < seconds
    names = ("time", "rotations", "angular_velocities", "positions")
    clip = replace(
        recorded.clip,
        linear_velocities=recorded.clip.linear_velocities[kept],
        **{name: getattr(recorded.clip, name)[kept] for name in names},
    )
    return dynamics_of_recording(replace(recorded, clip=clip), mass=MASS)


def felt(result: RecordedDynamics, k: int) -> GroundForces:
    """What perfect sensors say at a frame, in the world."""
    wrench = result.body.wrenches[k, FEET]
    ankles = result.motion.positions[k, FEET]
    moments = wrench[:, 3:] + np.cross(ankles, wrench[:, :3])
    noise = np.random.default_rng(k).normal(scale=0.5, size=(2, 6))
    return GroundForces(
        stamp=100.0 + float(result.body.time[k]) + 0.004,
        source_time=float(result.body.time[k]),
        wrench=np.concatenate([wrench[:, :3], moments], axis=1) + noise,
        deviation=np.tile([2.0, 2.0, 2.0, 0.5, 0.5, 0.5], (2, 1)),
        full_scale=np.array([2000.0, 2000.0, 2000.0, 5e3, 5e3, 5e3]),
        in_world=True,
    )


def frame(result: RecordedDynamics, k: int) -> HumanFrame:
    shown = result.clip.frame(k)
    return replace(shown, stamp=100.0 + shown.stamp)


def played(
    result: RecordedDynamics,
    online: OnlineDynamics,
    change: Change | None = None,
    *,
    forces: bool = True,
) -> list[Moment]:
    found = []
    for k in range(len(result.clip)):
        sample = felt(result, k) if forces else None
        if sample is not None and change is not None:
            sample = change(k, sample)
        if sample is not None:
            online.put_forces(sample)
        online.put_frame(frame(result, k))
        moment = online.step()
        if moment is not None:
            found.append(moment)
    return found


def at(moments: list[Moment], time: float) -> Moment:
    return min(moments, key=lambda m: abs(m.dynamics.stamp - 100.0 - time))


def test_live_moments_are_the_recorded_ones_a_lag_later() -> None:
    result = whole()
    moments = played(result, OnlineDynamics(result.clip.size, MASS))
    assert len(moments) > 0.9 * len(result.clip)
    time = np.array([m.dynamics.stamp for m in moments]) - 100.0
    for segment in ("LeftUpperLeg", "RightLowerLeg", "LeftFoot", "L5"):
        link = SEGMENT_INDEX[segment]
        theirs = np.interp(time, result.body.time, result.body.moments[:, link, 1])
        ours = np.array([m.dynamics.moments[link, 1] for m in moments])
        assert np.sqrt(np.mean((ours - theirs) ** 2)) < 3.0, segment
    lags = [m.dynamics.lag for m in moments]
    assert max(lags) < 0.075 and min(lags) > 0.05  # within a sample of 60 ms
    newest = [100.0 + t for t in result.clip.time[-len(moments) :]]
    late = np.array(newest) - np.array([m.dynamics.stamp for m in moments])
    assert np.allclose(late, lags, atol=1e-6)  # the stamps say so


def test_a_live_walk_is_nearly_what_opensim_published(shared_motions: Path) -> None:
    folder = shared_motions / "opensim_core/example3DWalking"
    recorded = read_person(
        folder / "markers_walk.trc",
        forces=folder / "grf_walk.mot",
        options=ReadOptions(static="subject_walk_scaled.osim"),
    )
    result = dynamics_of_recording(recorded, mass=85.3, cutoff=30.0)
    assert result.forces is not None
    told = result.forces

    def plates(k: int, sample: GroundForces) -> GroundForces:
        ankles = result.clip.positions[k, FEET]
        wrench = told.wrench[k].copy()
        wrench[:, 3:] += np.cross(ankles, wrench[:, :3])
        known = told.measured[k, :, None]
        return replace(
            sample,
            wrench=np.where(known, wrench, np.nan),
            deviation=np.where(known, sample.deviation, np.inf),
        )

    moments = played(result, OnlineDynamics(result.clip.size, 85.3), plates)
    time = np.array([m.dynamics.stamp for m in moments]) - 100.0
    table = read_table(folder / "id_walk.sto")
    inside = (time >= 0.5) & (time <= 1.6)
    for part, name, sign, bound in (
        ("UpperLeg", "hip_flexion_{}_moment", -1.0, 12.5),
        ("LowerLeg", "knee_angle_{}_moment", 1.0, 7.5),
        ("Foot", "ankle_angle_{}_moment", -1.0, 8.5),
    ):
        misses = []
        for side in ("Left", "Right"):
            link = SEGMENT_INDEX[f"{side}{part}"]
            ours = sign * np.array([m.dynamics.moments[link, 1] for m in moments])
            column = table.column(name.format(side[0].lower()))
            theirs = np.interp(time, table.time, column)
            misses.append(np.sqrt(np.mean((ours - theirs)[inside] ** 2)))
        assert np.mean(misses) < bound, (part, misses)


def broken(first: int, last: int, change: Change) -> Change:
    return lambda k, sample: change(k, sample) if first <= k < last else sample


def frozen(held: list[GroundForces]) -> Change:
    def hold(k: int, sample: GroundForces) -> GroundForces:
        held.append(sample)
        return replace(sample, wrench=held[0].wrench)

    return hold


FAULTS: dict[str, tuple[Change, SensorState, str]] = {
    "lost": (lambda k, s: None, SensorState.TIMEOUT, "no sample"),
    "frozen": (frozen([]), SensorState.ERROR, "stands still"),
    "saturated": (
        lambda k, s: replace(s, wrench=np.full((2, 6), 2000.0)),
        SensorState.OVERFLOW,
        "range",
    ),
    "nan": (
        lambda k, s: replace(s, wrench=np.full((2, 6), np.nan)),
        SensorState.ERROR,
        "not a number",
    ),
    "late": (
        lambda k, s: replace(s, stamp=s.stamp + 0.04),
        SensorState.ERROR,
        "late by 40 ms",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_within_a_sample_and_is_over_with_it(fault: str) -> None:
    result = whole()
    change, status, reason = FAULTS[fault]
    moments = played(
        result, OnlineDynamics(result.clip.size, MASS), broken(120, 200, change)
    )
    period = 1.0 / result.clip.rate
    for moment in moments:
        time = moment.dynamics.stamp - 100.0
        # between a good and a bad sample nothing is known either
        if 120 * period + 1e-6 <= time <= 199 * period - 1e-6:
            assert moment.forces.status == (status, status), time
            assert reason in moment.forces.reason[0]
            assert not moment.dynamics.measured.any()
        elif not 118.9 * period <= time <= 200.1 * period:
            assert moment.forces.status == (SensorState.OK,) * 2, time
    good, bad = at(moments, 1.5).dynamics, at(moments, 2.6).dynamics
    assert np.isfinite(bad.torques).all()
    link = SEGMENT_INDEX["LeftLowerLeg"]
    assert bad.moments_sd[link, 1] > 3.0 * good.moments_sd[link, 1]
    # the estimate goes on: what is unknown is found from the motion
    k = int(np.argmin(np.abs(result.body.time - (bad.stamp - 100.0))))
    miss = np.abs(bad.moments[link, 1] - result.body.moments[k, link, 1])
    assert miss < 2.0 * bad.moments_sd[link, 1] + 1.0


def on_one_foot() -> tuple[int, int]:
    """Return the frames between which the built-in person lifts a foot."""
    result = whole(36.0)
    air = result.body.contact.sum(axis=1) == 1
    edges = np.flatnonzero(np.diff(np.concatenate([[0], air.astype(int), [0]])))
    runs = edges.reshape(-1, 2)
    longest = runs[int(np.argmax(runs[:, 1] - runs[:, 0]))]
    return int(longest[0]), int(longest[1])


@pytest.mark.slow
def test_exchanged_feet_are_told_as_soon_as_one_is_in_the_air() -> None:
    result = whole(36.0)
    first, last = on_one_foot()
    assert last - first > 20
    swap: Change = lambda k, s: replace(s, wrench=s.wrench[::-1])  # noqa: E731
    moments = played(
        result, OnlineDynamics(result.clip.size, MASS), broken(0, last + 60, swap)
    )
    middle = at(moments, float(result.body.time[(first + last) // 2]))
    assert middle.forces.reason == ("left and right exchanged",) * 2
    still = at(moments, float(result.body.time[min(last + 20, len(result.clip) - 9)]))
    assert still.forces.status[0] is SensorState.ERROR  # on two feet nobody can tell
    right = played(result, OnlineDynamics(result.clip.size, MASS))
    assert all(m.forces.status[0] is not SensorState.ERROR for m in right)


def test_sensors_tell_the_mass_of_who_stands_still() -> None:
    result = whole()
    online = OnlineDynamics(result.clip.size)
    played(result, online)
    assert online.person.mass == pytest.approx(MASS, abs=0.3)
    assert "from the sensors" in online.notes[0]


def test_insoles_that_feel_the_vertical_alone_narrow_the_estimate() -> None:
    result = whole()

    def insoles(k: int, sample: GroundForces) -> GroundForces:
        R = result.motion.rotations[k, FEET]
        wrench = np.einsum("sji,sj->si", R, result.body.wrenches[k, FEET, :3])
        up = np.full((2, 6), np.nan)
        up[:, 2] = wrench[:, 2]
        deviation = np.full((2, 6), np.inf)
        deviation[:, 2] = 5.0
        return replace(sample, wrench=up, deviation=deviation, in_world=False)

    known = played(result, OnlineDynamics(result.clip.size, MASS), insoles)
    blind = played(result, OnlineDynamics(result.clip.size, MASS), forces=False)
    a, b = at(known, 3.0).dynamics, at(blind, 3.0).dynamics
    assert a.measured.all() and not b.measured.any()
    assert np.all(a.foot_wrenches_sd[:, 2] < 0.3 * b.foot_wrenches_sd[:, 2])
    k = int(np.argmin(np.abs(result.body.time - 3.0)))
    truth = result.body.wrenches[k, FEET, 2]
    assert np.allclose(a.foot_wrenches[:, 2], truth, atol=8.0)


def test_a_person_without_places_stands_where_the_lowest_foot_rests() -> None:
    result = whole()
    online = OnlineDynamics(result.clip.size, MASS)
    found = []
    for k in range(len(result.clip)):
        shown = frame(result, k)
        online.put_frame(replace(shown, positions=None, linear_velocities=None))
        moment = online.step()
        if moment is not None:
            found.append(moment)
    carried = np.array([m.dynamics.foot_wrenches[:, 2].sum() for m in found])
    assert abs(np.mean(carried) - WEIGHT) < 0.02 * WEIGHT
    soles = np.array([m.positions[FEET, 2] for m in found])
    assert soles.min() > 0.0 and soles.max() < 0.2


def test_a_gap_in_the_stream_begins_anew() -> None:
    result = whole()
    online = OnlineDynamics(result.clip.size, MASS)
    for k in range(60):
        online.put_frame(frame(result, k))
    assert online.step() is not None
    online.put_frame(replace(frame(result, 90)))
    assert online.step() is None


def test_what_cannot_be_used_is_refused() -> None:
    result = whole()
    online = OnlineDynamics(result.clip.size, MASS)
    good = frame(result, 0)
    part = replace(
        good,
        segments=SEGMENTS[:5],
        rotations=good.rotations[:5],
        angular_velocities=good.angular_velocities[:5],
        positions=None,
        linear_velocities=None,
    )
    with pytest.raises(BadFrame, match="all 23 segments"):
        online.put_frame(part)
    with pytest.raises(BadFrame):
        online.put_frame(replace(good, rotations=np.full((23, 3, 3), np.nan)))
    with pytest.raises(BadFrame, match="forces has shape"):
        GroundForces(stamp=0.0, wrench=np.zeros(6), deviation=np.zeros((2, 6)))
    assert online.step() is None


def test_numbers_travel_unchanged_between_processes() -> None:
    result = whole()
    dynamics = played(result, OnlineDynamics(result.clip.size, MASS))[30].dynamics
    again = PersonDynamics.from_bytes(dynamics.to_bytes())
    for name in PersonDynamics.__dataclass_fields__:
        a: Array = np.asarray(getattr(dynamics, name))
        assert np.array_equal(a, getattr(again, name), equal_nan=True), name
    with pytest.raises(ValueError, match="no dynamics"):
        PersonDynamics.from_bytes(dynamics.to_bytes()[:-8])
