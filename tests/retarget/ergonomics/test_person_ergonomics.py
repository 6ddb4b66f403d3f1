"""Postures, lifts and strengths are found in a person's motion and forces."""

from __future__ import annotations

import math

import numpy as np
import pytest
from telexist.retarget.ergonomics import (
    STRENGTH_JOINTS,
    Circumstances,
    ErgonomicSample,
    ErgonomicSettings,
    HandPlace,
    LiftFinder,
    PersonErgonomics,
    body_angles,
    hand_place,
    lifting_index,
    reba_of,
    rula_of,
    strength_share,
)
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.human import adult_size
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array, rotation_x, rotation_y, rotation_z

SIZE = adult_size(1.75)
SETTINGS = ErgonomicSettings()
RAD = math.pi / 180.0
MASS = 70.0


def posed(turns: dict[str, Array]) -> tuple[Array, Array]:
    """Return rotations and positions: each turn takes along all that hangs on it."""
    rotations = np.zeros((23, 3, 3))
    for name in SEGMENTS:
        parent = PARENT[name]
        above = np.eye(3) if parent is None else rotations[SEGMENT_INDEX[parent]]
        rotations[SEGMENT_INDEX[name]] = above @ turns.get(name, np.eye(3))
    start = np.array([0.3, -0.2, SIZE.joints["Pelvis"][2]])
    return rotations, SIZE.positions(rotations, start)


def angles(turns: dict[str, Array]):  # type: ignore[no-untyped-def]
    return body_angles(*posed(turns))


@pytest.mark.parametrize("yaw", [0.0, 100.0])
@pytest.mark.parametrize("degrees", [-15.0, 12.0, 50.0])
def test_a_bent_trunk_is_bent_by_so_much(yaw: float, degrees: float) -> None:
    face = rotation_z(yaw * RAD)
    bow = rotation_y(degrees * RAD)
    found = angles({"Pelvis": face @ bow})
    assert found.trunk == pytest.approx(degrees, abs=1e-6)
    assert found.trunk_side == pytest.approx(0.0, abs=1e-6)
    assert found.neck == pytest.approx(0.0, abs=1e-6)
    side = angles({"Pelvis": face @ rotation_x(degrees * RAD)})
    assert side.trunk_side == pytest.approx(abs(degrees), abs=1e-6)
    nod = angles({"Pelvis": face, "Head": rotation_y(degrees * RAD)})
    assert nod.neck == pytest.approx(degrees, abs=1e-6)
    turned = angles({"Pelvis": face, "L5": rotation_z(degrees * RAD)})
    assert turned.trunk_twist == pytest.approx(abs(degrees), abs=1e-6)


def test_arms_are_judged_against_the_chest_and_both_alike() -> None:
    bow = rotation_y(40.0 * RAD)
    for s, (side, out) in enumerate((("Left", 1.0), ("Right", -1.0))):
        ahead = angles({"Pelvis": bow, f"{side}UpperArm": rotation_y(-70.0 * RAD)})
        assert ahead.upper_arm[s] == pytest.approx(70.0, abs=1e-6)
        assert ahead.upper_arm[1 - s] == pytest.approx(0.0, abs=1e-6)
        back = angles({f"{side}UpperArm": rotation_y(30.0 * RAD)})
        assert back.upper_arm[s] == pytest.approx(-30.0, abs=1e-6)
        wide = angles({f"{side}UpperArm": rotation_x(out * 50.0 * RAD)})
        assert wide.abduction[s] == pytest.approx(50.0, abs=1e-6)
        assert wide.upper_arm[s] == pytest.approx(50.0, abs=1e-6)
        elbow = angles({f"{side}ForeArm": rotation_y(-80.0 * RAD)})
        assert elbow.elbow[s] == pytest.approx(80.0, abs=1e-6)
        shrug = angles({f"{side}Shoulder": rotation_x(out * 15.0 * RAD)})
        assert shrug.shoulder[s] == pytest.approx(15.0, abs=1e-6)
        wrist = angles({f"{side}Hand": rotation_x(12.0 * RAD)})
        assert wrist.wrist[s] == pytest.approx(12.0, abs=1e-6)
        assert wrist.wrist_side[s] == pytest.approx(0.0, abs=1e-6)
        palm = angles({f"{side}ForeArm": rotation_z(70.0 * RAD)})
        assert palm.forearm_twist[s] == pytest.approx(70.0, abs=1e-6)
        knee = angles({f"{side}LowerLeg": rotation_y(65.0 * RAD)})
        assert knee.knee[s] == pytest.approx(65.0, abs=1e-6)


def test_work_beyond_the_middle_and_out_to_the_side_is_seen() -> None:
    bent = rotation_y(-90.0 * RAD)
    turns = {"LeftForeArm": bent}
    assert angles(turns).hand_across[0] < 0.0
    across = {"LeftUpperArm": rotation_z(-90.0 * RAD), **turns}
    assert angles(across).hand_across[0] > 0.0
    out = {"LeftUpperArm": rotation_z(60.0 * RAD), **turns}
    assert angles(out).hand_out[0] > SETTINGS.to_the_side


def test_postures_have_the_scores_of_the_publications_by_hand() -> None:
    """Scored on the published sheets, step by step."""
    stands = angles({})
    calm = Circumstances()
    # arms down: upper arm 1, lower arm 2 (below 60 deg), wrist 1, twist 1 -> A = 2;
    # neck 1, trunk 1, legs 1 -> B = 1; C[2, 1] = 2
    assert rula_of(stands, 0, calm, SETTINGS).grand == 2
    # trunk 1, neck 1, legs 1 -> 1; upper arm 1, lower arm 2, wrist 1 -> 1; C[1, 1] = 1
    assert reba_of(stands, 0, calm, SETTINGS).grand == 1
    bow, raise_arm = rotation_y(65.0 * RAD), rotation_y(-70.0 * RAD)
    stoops = angles(
        {"Pelvis": bow, "LeftUpperArm": raise_arm, "RightUpperArm": raise_arm}
    )
    lifting = Circumstances(load=12.0)
    found = rula_of(stoops, 1, lifting, SETTINGS)
    # upper arm 3, lower arm 2, wrist 1, twist 1 -> 3, load + 2 -> 5;
    # neck 1, trunk 4, legs 1 -> 5, load + 2 -> 7; C[5, 7] = 7
    assert (found.arm, found.body, found.grand) == (3, 5, 7)
    heavy = reba_of(stoops, 1, lifting, SETTINGS)
    # trunk 4, neck 1, legs 1 -> 3, load + 2 -> 5; arm 3, 2, 1 -> 4; C[5, 4] = 5
    assert (heavy.body, heavy.arm, heavy.grand) == (5, 4, 5)
    knees = {f"{side}LowerLeg": rotation_y(70.0 * RAD) for side in ("Left", "Right")}
    squats = angles({**knees})
    one_leg = Circumstances(balanced=False)
    assert reba_of(squats, 0, calm, SETTINGS).body == 3  # legs 1 + 2
    assert reba_of(squats, 0, one_leg, SETTINGS).body == 4
    assert reba_of(squats, 0, Circumstances(seated=True), SETTINGS).body == 1
    held = Circumstances(load=5.0, static=(True, True))
    assert (
        rula_of(stands, 0, held, SETTINGS).grand
        > rula_of(stands, 0, Circumstances(load=5.0), SETTINGS).grand
    )


def test_what_words_mean_can_be_set_and_nonsense_is_refused() -> None:
    wide = angles({"LeftUpperArm": rotation_x(25.0 * RAD)})
    strict = ErgonomicSettings(abducted_deg=20.0)
    now = Circumstances()
    assert rula_of(wide, 0, now, strict).arm >= rula_of(wide, 0, now, SETTINGS).arm
    assert reba_of(wide, 0, now, strict).arm > reba_of(wide, 0, now, SETTINGS).arm
    with pytest.raises(BadInput, match="lever"):
        ErgonomicSettings(lever=1.0)
    with pytest.raises(UnknownName, match="fair"):
        ErgonomicSettings(coupling="slippery")
    with pytest.raises(UnknownName, match="women"):
        ErgonomicSettings(population="people")
    with pytest.raises(UnknownName, match="hip extension"):
        PersonErgonomics(ErgonomicSettings(strength={"tail": 3.0}))
    with pytest.raises(BadInput, match="strength"):
        ErgonomicSettings(strength={"hip extension": math.nan})


# -- lifts ---------------------------------------------------------------------------

RATE = 100.0
LOW = HandPlace(horizontal=0.45, height=0.3, asymmetry_deg=0.0)
HIGH = HandPlace(horizontal=0.3, height=1.1, asymmetry_deg=20.0)


def place_at(share: float) -> HandPlace:
    return HandPlace(
        horizontal=LOW.horizontal + share * (HIGH.horizontal - LOW.horizontal),
        height=LOW.height + share * (HIGH.height - LOW.height),
        asymmetry_deg=share * HIGH.asymmetry_deg,
    )


def found_lifts(
    spans: list[tuple[int, int]], load: float, noise: float, *, calm: bool = True
) -> LiftFinder:
    """HandLift something between frames, again and again."""
    finder, rng = LiftFinder(SETTINGS), np.random.default_rng(3)
    for k in range(spans[-1][1] + 200):
        now = next((span for span in spans if span[0] <= k < span[1]), None)
        true = load if now else 0.0
        share = (k - now[0]) / (now[1] - now[0]) if now else 0.0
        finder.add(
            k / RATE,
            true + noise * rng.normal(),
            max(noise, 0.1),
            place_at(share),
            calm=calm,
        )
    return finder


@pytest.mark.parametrize(("load", "noise"), [(8.0, 0.0), (8.0, 0.9), (15.0, 1.5)])
def test_lifts_are_found_within_a_frame(load: float, noise: float) -> None:
    spans = [(150, 300), (420, 571), (700, 850)]
    finder = found_lifts(spans, load, noise)
    assert finder.count == len(finder.lifts) == 3
    for lift, (start, end) in zip(finder.lifts, spans, strict=True):
        assert abs(lift.start * RATE - start) <= 1.0 + 1e-6
        assert abs(lift.end * RATE - end) <= 1.0 + 1e-6
        assert lift.load == pytest.approx(load, abs=0.3)
        assert lift.load_sd == pytest.approx(max(noise, 0.1), abs=0.05)


def test_a_lift_is_judged_from_where_to_where_it_went() -> None:
    lift = found_lifts([(150, 350)], 10.0, 0.0).lifts[0]
    assert lift.origin.height == pytest.approx(LOW.height, abs=0.01)
    assert lift.destination.height == pytest.approx(HIGH.height, abs=0.01)
    alone = lifting_index(10.0, horizontal=0.45, height=0.3, travel=0.8)
    assert lift.at_origin.index == pytest.approx(alone.index, rel=0.02)
    assert lift.index == max(lift.at_origin.index, lift.at_destination.index)
    assert lift.index_sd == pytest.approx(lift.index * lift.load_sd / lift.load)


def test_lifts_that_come_often_count_as_often() -> None:
    spans = [(150 + 600 * k, 300 + 600 * k) for k in range(5)]  # every 6 s
    last = found_lifts(spans, 8.0, 0.0).lifts[-1]
    assert last.lifts_a_minute == pytest.approx(10.0, rel=0.01)
    seldom = found_lifts(spans[:1], 8.0, 0.0).lifts[0]
    assert last.at_origin.recommended < seldom.at_origin.recommended


def test_what_motion_feigns_is_no_lift() -> None:
    """Empty hands of a person in motion: 2 kg of error, which the deviation knows."""
    finder = LiftFinder(SETTINGS)
    for k in range(3000):
        feigned = 3.0 * math.sin(2.0 * math.pi * k / 250.0)
        finder.add(k / RATE, feigned, 2.5, LOW, calm=False)
    assert finder.count == 0
    finder.add(40.0, math.nan, math.nan, LOW)  # the hands count as empty now
    for k in range(100):  # a foot is unknown: whatever is found is no load
        finder.add(50.0 + k / RATE, 12.0, 9.0, LOW)
    assert finder.count == 0
    assert finder.held == 0.0


def test_samples_that_come_too_seldom_make_no_lift() -> None:
    finder = LiftFinder(SETTINGS)
    for k in range(60):
        finder.add(1.0 * k, 9.0 if k % 10 > 4 else 0.0, 0.5, LOW)
    assert finder.count == 0 and finder.lifts == []
    for k in range(200):  # now they come as they should
        finder.add(100.0 + k / RATE, 9.0 if k >= 100 else 0.0, 0.5, LOW)
    assert finder.count == 1
    assert finder.current is not None
    assert finder.current.start == pytest.approx(101.0, abs=0.011)


# -- all scores ----------------------------------------------------------------------


def sample(turns: dict[str, Array], time: float, **changes: object) -> ErgonomicSample:
    rotations, positions = posed(turns)
    given: dict[str, object] = {
        "time": time,
        "mass": MASS,
        "rotations": rotations,
        "positions": positions,
        "moments": np.zeros((23, 3)),
        "moments_sd": np.full((23, 3), 1.0),
        "foot_forces": np.array([343.0, 343.0]),
        "hand_loads": np.zeros(2),
        "hand_loads_sd": np.full(2, 0.2),
        "seat_force": 0.0,
        "spine_force": 350.0,
        "spine_force_sd": 5.0,
    }
    return ErgonomicSample(**{**given, **changes})  # type: ignore[arg-type]


def test_a_posture_held_for_a_minute_counts_and_a_repeated_one_too() -> None:
    still, moving = PersonErgonomics(), PersonErgonomics()
    stooped = {
        "Pelvis": rotation_y(30.0 * RAD),
        "LeftUpperArm": rotation_y(-70.0 * RAD),
    }
    for k in range(651):
        held = still.step(sample(stooped, 0.1 * k))
        if k == 0:
            first = held
        swing = rotation_y(-(20.0 + 25.0 * math.sin(0.3 * k)) * RAD)
        moved = moving.step(sample({"LeftUpperArm": swing}, 0.1 * k))
    assert held.rula[0] > first.rula[0]
    assert held.reba[0] > first.reba[0]
    calm = PersonErgonomics().step(sample({"LeftUpperArm": swing}, 0.0))
    assert moved.reba[0] > calm.reba[0]


def test_compression_has_the_deviation_of_its_moment() -> None:
    moments = np.zeros((23, 3))
    moments[SEGMENT_INDEX["L5"]] = [3.0, -110.0, 4.0]
    found = PersonErgonomics().step(sample({}, 0.0, moments=moments))
    bending = math.sqrt(3.0**2 + 110.0**2 + 4.0**2)
    assert found.compression == pytest.approx(bending / 0.055 + 350.0)
    assert found.compression_sd == pytest.approx(math.hypot(1.0 / 0.055, 5.0), rel=1e-6)
    longer = ErgonomicSettings(lever=0.06)
    less = PersonErgonomics(longer).step(sample({}, 0.0, moments=moments))
    assert less.compression < found.compression


def test_a_squat_with_a_load_says_what_a_lift_without_does_not() -> None:
    judge, loads = PersonErgonomics(), []
    for k in range(400):
        carried = 5.0 if k >= 200 else 0.0
        scores = judge.step(
            sample({}, k / RATE, hand_loads=np.array([carried, carried]))
        )
        loads.append(scores.load)
    assert loads[199] == 0.0 and loads[-1] == pytest.approx(10.0, abs=0.1)
    assert scores.lifts == 1 and scores.lift is not None
    assert scores.lift.start == pytest.approx(2.0, abs=0.011)
    assert scores.lift.load_sd == pytest.approx(math.hypot(0.2, 0.2))
    stated = PersonErgonomics(ErgonomicSettings(stated_load=11.0))
    assert stated.step(sample({}, 0.0)).load == 11.0


def test_the_hands_are_where_the_manual_measures_them() -> None:
    reach = {f"{side}UpperArm": rotation_y(-90.0 * RAD) for side in ("Left", "Right")}
    rotations, positions = posed({"Pelvis": rotation_z(2.0), **reach})
    found = hand_place(rotations, positions)
    wrists = positions[[SEGMENT_INDEX["LeftHand"], SEGMENT_INDEX["RightHand"]]]
    ankles = positions[[SEGMENT_INDEX["LeftFoot"], SEGMENT_INDEX["RightFoot"]]]
    ahead = np.linalg.norm((wrists.mean(axis=0) - ankles.mean(axis=0))[:2])
    assert found.horizontal == pytest.approx(ahead + 0.08, abs=1e-3)
    assert found.height == pytest.approx(wrists[0, 2], abs=1e-6)
    assert found.asymmetry_deg == pytest.approx(0.0, abs=0.1)
    turned = {"L5": rotation_z(30.0 * RAD), **reach}
    assert hand_place(*posed(turned)).asymmetry_deg == pytest.approx(30.0, abs=3.0)


def test_strength_is_the_literatures_or_the_measured_one() -> None:
    moments = np.zeros((23, 3))
    moments[SEGMENT_INDEX["RightLowerLeg"], 1] = -100.0  # extends the knee
    spread = np.full((23, 3), 2.0)
    knees = np.array([60.0, 60.0])

    def share(**settings: object):  # type: ignore[no-untyped-def]
        return strength_share(
            moments,
            spread,
            mass=MASS,
            knees=knees,
            settings=ErgonomicSettings(**settings),  # type: ignore[arg-type]
        )

    men = share(population="men")
    assert men.name == "right knee extension" and men.name in STRENGTH_JOINTS
    assert men.strength == pytest.approx(MASS * (2.92 + 3.45) / 2.0)
    assert men.share == pytest.approx(100.0 / men.strength)
    assert men.deviation == pytest.approx(2.0 / men.strength)
    assert men.weakest == pytest.approx(100.0 / (MASS * 2.92))
    assert share(population="older women").share > men.share
    assert share().weakest == pytest.approx(100.0 / (MASS * 2.08))
    assert share(strength={"knee extension": 200.0}).share == pytest.approx(0.5)
    moments[:] = 0.0
    moments[SEGMENT_INDEX["L5"], 1] = -150.0
    assert share().name == "" and math.isnan(share().share)  # nobody stated it
    assert share(strength={"trunk extension": 300.0}).name == "trunk extension"
    knees[:] = 10.0
    moments[SEGMENT_INDEX["RightLowerLeg"], 1] = -50.0
    assert share(population="older men").name == ""  # known of half bent knees only
