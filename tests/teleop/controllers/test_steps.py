from __future__ import annotations

import numpy as np
import pytest
from telexist.teleop.controllers.geometry.minimum_jerk import (
    Blend,
    at_rest,
    quintic_step,
)
from telexist.teleop.controllers.geometry.small_rotations import (
    rotation_vector,
    turned_by,
)
from telexist.teleop.controllers.geometry.support_polygon import SupportPolygon
from telexist.teleop.controllers.parameters.parameters import ControlParameters
from telexist.teleop.controllers.parameters.walking_parameters import SwingParameters
from telexist.teleop.controllers.sensing.pivot_bias import PivotBias
from telexist.teleop.controllers.stepping.dcm_plan import (
    carried_over,
    caught_in_time,
    landing_offset,
    support_end,
)
from telexist.teleop.controllers.stepping.footsteps import (
    LEFT,
    RIGHT,
    Foothold,
    clip_command,
    next_foothold,
    step_bounds,
)
from telexist.teleop.controllers.stepping.step_adjustment import StepGoal, adjust_step
from telexist.teleop.controllers.stepping.step_pace import StepPace
from telexist.teleop.controllers.stepping.swing_foot import SwingFoot
from telexist.teleop.controllers.walking.zmp_transfer import ZmpTransfer
from telexist.teleop.terms.walk_command import WalkCommand

PARAMETERS = ControlParameters(
    leg_extension=0.95,
    com_height=0.6,
    omega=4.0,
    foot_spacing=0.2,
    stance_spacing=0.2,
    single_support=0.5,
    double_support=0.1,
    first_double_support=1.0,
    step_height=0.05,
    max_step_length=0.3,
    min_step_width=0.12,
    max_step_width=0.4,
    max_crossing=0.1,
    foot_speed=4.0,
    comfortable_step=0.2,
)
STANCE = Foothold(np.array([1.0, 0.1]), 0.0, LEFT)


def steps(command: WalkCommand, count: int) -> list[Foothold]:
    found = [STANCE]
    for _ in range(count):
        found.append(next_foothold(found[-1], command, PARAMETERS))
    return found


def test_steps_advance_with_the_command() -> None:
    taken = steps(WalkCommand(vx=0.3), 10)
    assert taken[-1].p[0] - 1.0 == pytest.approx(0.3 * 10 * 0.6)
    assert {step.p[1].round(6) for step in taken} == {0.1, -0.1}


def test_steps_turn_with_the_command() -> None:
    taken = steps(WalkCommand(wz=0.5), 4)
    assert taken[-1].yaw == pytest.approx(0.5 * 4 * 0.6)


def test_steps_stay_within_reach() -> None:
    rng = np.random.default_rng(0)
    for _ in range(100):
        command = WalkCommand(vx=rng.normal(), vy=rng.normal(), wz=rng.normal())
        step = next_foothold(STANCE, command, PARAMETERS)
        low, high = step_bounds(LEFT, PARAMETERS)
        assert (step.p - STANCE.p >= low - 1e-12).all()
        assert (step.p - STANCE.p <= high + 1e-12).all()
        assert step.foot == RIGHT


def test_commands_are_cut_and_made_finite() -> None:
    given, changed = clip_command(WalkCommand(vx=np.nan, vy=9.0), PARAMETERS)
    assert changed
    assert given.vx == 0.0
    assert 0.0 < given.vy < 1.0
    assert not clip_command(WalkCommand(vx=0.1), PARAMETERS)[1]


def test_the_planned_dcm_meets_every_step() -> None:
    taken = steps(WalkCommand(vx=0.3), 6)
    p, end = PARAMETERS, support_end(PARAMETERS)
    offset = landing_offset(taken[1:], p, end)
    dcm = end.at(taken[0].p, taken[1].p, offset)
    dt, zmp = 1e-5, taken[0].p
    for i in range(round(p.double_support / dt)):
        zmp = taken[0].p + (i + 0.5) * dt / p.double_support * (taken[1].p - taken[0].p)
        dcm = dcm + dt * p.omega * (dcm - zmp)
    assert np.allclose(dcm, taken[1].p + offset, atol=1e-4)


def goal(**changes: object) -> StepGoal:
    low, high = step_bounds(LEFT, PARAMETERS)
    step = next_foothold(STANCE, WalkCommand(vx=0.3), PARAMETERS)
    ahead = next_foothold(step, WalkCommand(vx=0.3), PARAMETERS)
    end = support_end(PARAMETERS)
    values: dict[str, object] = {
        "stance": STANCE.p,
        "axes": np.eye(2),
        "room": np.zeros(2),
        "low": low,
        "high": high,
        "crossing": np.array([0.18, PARAMETERS.max_crossing]),
        "foothold": step.p,
        "swing": STANCE.p - [0.1, 0.2],
        "foot_speed": PARAMETERS.foot_speed,
        "time_left": 0.3,
        "shortest": 0.1,
        "longest": 0.45,
        "offset": landing_offset([step, ahead], PARAMETERS, end),
        "end": end,
    }
    return StepGoal(**(values | changes))  # type: ignore[arg-type]


def planned_dcm(g: StepGoal) -> np.ndarray:
    final = g.end.at(g.stance, g.foothold, g.offset)
    return g.stance + np.exp(-PARAMETERS.omega * g.time_left) * (final - g.stance)


def test_a_step_on_plan_is_left_alone() -> None:
    g = goal()
    step = adjust_step(g, planned_dcm(g), PARAMETERS.omega)
    assert np.allclose(step.foothold, g.foothold, atol=1e-3)
    assert step.time_left == pytest.approx(g.time_left, abs=1e-3)


@pytest.mark.parametrize("push", [(0.03, 0.0), (0.0, -0.03), (0.02, 0.02)])
def test_a_changed_step_catches_the_dcm(push: tuple[float, float]) -> None:
    g = goal()
    dcm = planned_dcm(g) + push
    step = adjust_step(g, dcm, PARAMETERS.omega)
    arrives = g.stance + np.exp(PARAMETERS.omega * step.time_left) * (dcm - g.stance)
    wanted = g.end.at(g.stance, step.foothold, step.offset)
    assert np.allclose(arrives, wanted, atol=1e-6)
    assert g.shortest - 1e-9 <= step.time_left <= g.longest + 1e-9


def test_pushed_towards_the_swing_foot_the_step_comes_sooner() -> None:
    g = goal()
    step = adjust_step(g, planned_dcm(g) + [0.0, -0.04], PARAMETERS.omega)
    assert step.time_left < g.time_left
    assert step.foothold[1] < g.foothold[1]


def test_small_errors_are_left_to_the_sole() -> None:
    g = goal(room=np.array([0.05, 0.02]))
    step = adjust_step(g, planned_dcm(g) + [0.01, -0.005], PARAMETERS.omega)
    assert np.allclose(step.foothold, g.foothold, atol=2e-3)


def test_a_step_is_the_best_of_all_times_and_places() -> None:
    """Brute force over time and place finds nothing better that can be reached."""
    g, omega = goal(), PARAMETERS.omega
    dcm = planned_dcm(g) + [0.02, 0.03]

    def cost(foothold: np.ndarray, offset: np.ndarray, time: float) -> float:
        place = np.square(foothold - g.foothold).sum()
        late = 0.02 * (time - g.time_left) ** 2
        return float(place + 20.0 * np.square(offset - g.offset).sum() + late)

    step = adjust_step(g, dcm, omega)
    found = cost(step.foothold, step.offset, step.time_left)
    for time in np.linspace(g.shortest, g.longest, 40):
        end = np.exp(omega * time) * (dcm - g.stance)
        for x in np.linspace(g.low[0], g.high[0], 30):
            for y in np.linspace(g.low[1], g.high[1], 30):
                u = np.array([x, y])
                offset = (end - g.end.step * u) / g.end.offset
                assert found <= cost(g.stance + u, offset, time) + 4e-3


def test_pushed_over_the_stance_foot_the_feet_cross() -> None:
    g = goal()
    dcm = np.array([planned_dcm(g)[0], STANCE.p[1] + 0.03])
    step = adjust_step(g, dcm, PARAMETERS.omega)
    aside = step.foothold - g.stance
    assert aside[1] > 0.0  # beyond the left stance foot
    assert aside[0] >= g.crossing[0] - 1e-9  # and clear of it, ahead
    assert aside[1] <= PARAMETERS.max_crossing + 1e-9


def test_a_foot_that_crosses_keeps_to_its_way() -> None:
    g = goal()
    dcm = np.array([planned_dcm(g)[0], STANCE.p[1] + 0.03])
    step = adjust_step(g, dcm, PARAMETERS.omega)
    assert step.way == "ahead"
    kept = adjust_step(goal(may_cross=False), dcm, PARAMETERS.omega)
    assert kept.way == "" and kept.foothold[1] < STANCE.p[1]
    step = adjust_step(goal(way="behind", foot_speed=20.0), dcm, PARAMETERS.omega)
    assert step.way == "behind"
    assert (step.foothold - g.stance)[0] <= -g.crossing[0] + 1e-9


def test_a_foot_is_not_sent_farther_than_it_can_go_in_time() -> None:
    g = goal(foot_speed=1.0)
    step = adjust_step(g, planned_dcm(g) + [0.1, -0.1], PARAMETERS.omega)
    way = np.linalg.norm(step.foothold - g.swing)
    assert 1.875 * way <= g.foot_speed * step.time_left + 1e-9


def test_the_pivot_of_a_disturbed_pendulum_is_found() -> None:
    """A pendulum that pivots elsewhere than asked is the witness."""
    omega, dt, true = 4.0, 0.005, np.array([0.012, -0.006])
    pivot, axes = PivotBias(omega), np.array([[0.0, -1.0], [1.0, 0.0]])
    for _ in range(40):
        dcm, zmp = np.array([0.02, 0.01]), np.zeros(2)
        pivot.begin(dcm - axes @ pivot.value)
        for _ in range(100):
            centre = zmp + axes @ true
            dcm = centre + np.exp(omega * dt) * (dcm - centre)
            pivot.follow(zmp, dt)
        pivot.end(dcm - axes @ pivot.value, axes)
    assert np.allclose(pivot.value, true, atol=1e-4)


def test_one_pushed_step_teaches_the_pivot_little() -> None:
    pivot = PivotBias(4.0)
    pivot.begin(np.zeros(2))
    for _ in range(100):
        pivot.follow(np.zeros(2), 0.005)
    pivot.end(np.array([9.0, -9.0]), np.eye(2))
    assert np.abs(pivot.value).max() < 0.005


def test_quick_steps_are_shorter_so_that_the_speed_is_kept() -> None:
    pace = StepPace()
    for _ in range(30):
        pace.wait(0.8 * 0.6)  # of 0.6 s planned
        pace.landed(PARAMETERS)
    assert pace.command(WalkCommand(vx=0.5)).vx == pytest.approx(0.4, abs=1e-3)
    pace.wait(99.0)
    pace.landed(PARAMETERS)
    assert pace.value < 1.3


def test_a_pressure_line_is_what_the_pendulum_does() -> None:
    start, end = np.array([0.0, 0.1]), np.array([0.2, -0.1])
    line = ZmpTransfer(start, end, 0.2, np.array([0.25, -0.08]), 4.0)
    dt, dcm = 1e-5, line.dcm(-0.1)
    for i in range(round(0.3 / dt)):
        dcm = dcm + dt * line.omega * (dcm - line.zmp(-0.1 + (i + 0.5) * dt))
    assert np.allclose(dcm, line.dcm_end, atol=1e-4)


def test_a_quintic_asked_again_and_again_arrives_at_rest() -> None:
    point, target = at_rest(np.zeros(2)), at_rest(np.array([0.3, -0.1]))
    for i in range(100):
        point = quintic_step(point, target, 0.5 - 0.005 * i, 0.005)
    assert np.allclose(point.p, target.p, atol=1e-9)
    assert np.allclose(point.v, 0.0, atol=1e-6)


def test_a_swing_foot_rises_lands_and_turns() -> None:
    foot = SwingFoot(np.zeros(3), np.eye(3), height=0.05)
    heights = []
    for i in range(100):
        foot.step(np.array([0.3, 0.0, 0.0, 0.2]), 0.5 - 0.005 * i, 0.005)
        heights.append(foot.world_p_sole[2])
    assert max(heights) == pytest.approx(0.05, abs=0.004)
    assert heights[-1] < 0.0
    assert foot.world_p_sole[0] == pytest.approx(0.3, abs=1e-3)


@pytest.mark.parametrize("recovering", [False, True])
def test_a_foot_that_is_held_up_does_not_rise_first(recovering: bool) -> None:
    start = np.array([0.0, 0.0, 0.25])
    foot = SwingFoot(start, np.eye(3), height=0.05, recovering=recovering)
    heights = [0.25]
    for i in range(100):
        foot.step(np.zeros(4), 0.5 - 0.005 * i, 0.005)
        heights.append(foot.world_p_sole[2])
    assert (np.diff(heights) <= 0.0).all()


def test_a_hurried_foot_is_up_sooner_stays_longer_and_is_pressed_down_harder() -> None:
    calm, quick = (
        SwingFoot(np.zeros(3), np.eye(3), height=0.05, recovering=recovering)
        for recovering in (False, True)
    )
    heights = []
    for i in range(120):
        for foot in (calm, quick):
            foot.step(np.array([0.0, 0.3, 0.0, 0.0]), 0.5 - 0.005 * i, 0.005)
        heights.append((calm.world_p_sole[2], quick.world_p_sole[2]))
    seen = np.array(heights)
    assert seen[:, 1].max() == pytest.approx(0.05, abs=0.004)
    assert seen[30, 1] > 1.3 * seen[30, 0]
    assert (seen[:, 1] > 0.04).sum() > (seen[:, 0] > 0.04).sum()
    swing = SwingParameters()
    speed = (seen[-2] - seen[-1]) / 0.005
    assert speed == pytest.approx([swing.press, swing.recovery_press])


@pytest.mark.parametrize("speed", [0.0, 0.3, 0.6, 0.9])
def test_the_pressure_goes_over_as_fast_as_the_dcm_needs(speed: float) -> None:
    """Followed with the pendulum itself: the DCM ends no farther than it should."""
    omega, offset = 4.0, np.array([0.0, 0.02])
    old, new = np.zeros(2), np.array([0.0, 0.2])
    dcm = np.array([0.0, 0.08 + speed / omega])
    found = caught_in_time(dcm, (old, new), offset, omega, (0.05, 0.1))
    if found is None:  # too fast: it passes the new foot whatever one does
        assert speed > 0.5
        return
    wait, duration = found
    steps, dt = 4000, (wait + duration) / 4000
    for i in range(steps):
        share = max(0.0, (i + 0.5) * dt - wait) / duration
        zmp = old + min(share, 1.0) * (new - old)
        dcm = zmp + np.exp(omega * dt) * (dcm - zmp)
    assert dcm[1] <= new[1] + offset[1] + 0.011


@pytest.mark.parametrize("behind", [0.0, 0.06, 0.12])
def test_the_pressure_waits_for_a_dcm_that_lags(behind: float) -> None:
    """Followed with the pendulum itself: the DCM comes over to the new foot."""
    omega, offset = 4.0, np.array([0.0, -0.02])
    old, new = np.zeros(2), np.array([0.0, 0.25])
    dcm = np.array([0.0, 0.19 - behind])
    feet, times = (old, new), (0.02, 0.1)
    duration = carried_over(dcm, feet, offset, omega, times, longest=1.2)
    assert (duration > 0.1) == (behind > 0.0)
    dt = (0.02 + duration) / 4000
    for i in range(4000):
        share = min(max((i + 0.5) * dt - 0.02, 0.0) / duration, 1.0)
        zmp = old + share * (new - old)
        dcm = zmp + np.exp(omega * dt) * (dcm - zmp)
    assert dcm[1] > new[1] + offset[1] - 0.04


@pytest.mark.parametrize("around", [np.eye(2), None])
def test_a_crossing_foot_goes_around_the_other(around: np.ndarray | None) -> None:
    """Soles of 17 by 6 cm: on the straight way they would touch."""
    foot, other = SwingFoot(np.zeros(3), np.eye(3), height=0.05), np.array([0.0, 0.24])
    touched = False
    for i in range(60):
        goal = np.array([-0.19, 0.42, 0.0, 0.0])
        foot.step(goal, 0.3 - 0.005 * i, 0.005, around=around)
        apart = np.abs(foot.world_p_sole[:2] - other)
        touched |= bool(apart[0] < 0.17 and apart[1] < 0.06)
    assert touched == (around is None)
    assert np.allclose(foot.world_p_sole[:2], [-0.19, 0.42], atol=1e-3)


def test_a_blend_changes_direction_without_a_jump() -> None:
    blend, values = Blend(0.0, 1.0), []
    for i in range(300):
        values.append(blend.step(1.0 if i < 60 else 0.0, 0.01))
    assert values[-1] == 0.0
    assert np.abs(np.diff(values)).max() < 0.03


def test_the_nearest_point_of_a_polygon() -> None:
    square = SupportPolygon(np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5]]))
    assert len(square.corners) == 4
    inside = np.array([0.2, 0.3])
    assert np.array_equal(square.nearest(inside), inside)
    assert np.allclose(square.nearest(np.array([2.0, 0.5])), [1.0, 0.5])
    assert square.outside(np.array([1.5, 0.5])) == pytest.approx(0.5)


def test_single_rotations_agree_with_the_engine() -> None:
    from telexist.retarget.so3 import exp_so3, log_so3

    rng = np.random.default_rng(1)
    for scale in (1e-7, 1e-3, 1.0, 3.1):
        w = rng.normal(size=3)
        w *= scale / np.linalg.norm(w)
        assert np.allclose(turned_by(w), exp_so3(w), atol=1e-12)
        assert np.allclose(rotation_vector(exp_so3(w)), log_so3(exp_so3(w)), atol=1e-9)
