"""What the loop does about bad frames, and what it tells of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import rotation_x
from telexist.teleop import clock
from telexist.teleop.settings.settings import SafetySettings, SessionSettings
from telexist.teleop.terms.device_sample import DeviceSample
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import Event, State, Tick

LEFT_ARM = ("LeftShoulder", "LeftUpperArm", "LeftForeArm", "LeftHand")


def _without_arm(frame: HumanFrame) -> HumanFrame:
    rows = [k for k, name in enumerate(frame.segments) if name not in LEFT_ARM]
    assert frame.positions is not None
    return HumanFrame(
        stamp=frame.stamp,
        segments=tuple(frame.segments[k] for k in rows),
        rotations=frame.rotations[rows],
        angular_velocities=frame.angular_velocities[rows],
        positions=frame.positions[rows],
    )


def _arm_raised(frame: HumanFrame) -> HumanFrame:
    rotations = frame.rotations.copy()
    for k in (frame.segments.index(name) for name in LEFT_ARM[1:]):
        rotations[k] = rotation_x(2.0)
    return dataclasses.replace(frame, rotations=rotations)


def test_an_arm_that_drops_out_holds_and_its_return_moves_nothing(bench: Any) -> None:
    bench.engage()
    for _ in range(100):
        bench.give(_without_arm(bench.frame()))
    assert bench.state is State.HOLDING
    events = [e for t in bench.ticks for e in t.events if e.kind == "incomplete"]
    assert events[-1].state is State.HOLDING
    assert "LeftHand" in events[-1].reason
    bench.silence(1.0)  # until the robot has come to rest
    held = bench.robot.q.copy()
    for _ in range(100):
        bench.give(_arm_raised(bench.frame()))
    np.testing.assert_array_equal(bench.robot.q, held)
    bench.require_bounds()


def test_an_arm_that_blinks_and_is_elsewhere_is_a_jump(bench: Any) -> None:
    bench.engage()
    for _ in range(5):
        bench.give(_without_arm(bench.frame()))
    for _ in range(5):
        bench.give(_arm_raised(bench.frame()))
    assert bench.state is State.HOLDING
    assert "jump" in bench.kinds()
    bench.require_bounds()


def test_a_frame_that_lost_an_arm_changes_nothing(bench: Any) -> None:
    bench.engage()
    bench.give(_without_arm(bench.frame()))
    bench.play(0.3)
    assert bench.state is State.ACTIVE
    assert "incomplete" in bench.kinds()


def test_who_is_engaged_without_an_arm_goes_on_without_it(bench: Any) -> None:
    bench.calibrate()
    for k in range(600):
        asked = [Request.ENGAGE] if k == 20 else []
        bench.give(_without_arm(bench.frame()), *asked)
    assert bench.state is State.ACTIVE
    bench.play(0.5)  # the arm is seen now: it waits for the next engagement
    assert bench.state is State.ACTIVE
    assert "LeftHand" not in bench.loop.motion.human.segments
    bench.give(bench.frame(), Request.HOLD)
    bench.give(bench.frame(), Request.ENGAGE)
    bench.play(0.1)
    assert "LeftHand" in bench.loop.motion.human.segments
    bench.require_bounds()


def _nan(frame: HumanFrame) -> HumanFrame:
    rotations = frame.rotations.copy()
    rotations[4, 0, 0] = np.nan
    return dataclasses.replace(frame, rotations=rotations)


def _older(frame: HumanFrame) -> HumanFrame:
    return dataclasses.replace(frame, stamp=frame.stamp - 1.0)


SPOILT: dict[str, Callable[[HumanFrame], DeviceSample]] = {
    "nan": lambda f: DeviceSample(stamp=f.stamp, human=_nan(f)),
    "backwards": lambda f: DeviceSample(stamp=f.stamp, human=_older(f)),
    "incomplete": lambda f: DeviceSample(stamp=f.stamp, human=_without_arm(f)),
    "refused": lambda f: DeviceSample(stamp=f.stamp, dropped=(("malformed", 1),)),
    "nan of the device": lambda f: DeviceSample(stamp=f.stamp, dropped=(("nan", 1),)),
}
"""What is configured to samples that are so, where the default is to go on."""


@pytest.mark.parametrize("what", SPOILT)
@pytest.mark.parametrize(
    ("word", "after"), [("hold", State.HOLDING), ("stop", State.STOPPED)]
)
def test_what_is_configured_happens(
    what: str,
    word: str,
    after: State,
    body_of: Callable[[str], RobotBody],
    make_bench: Any,
) -> None:
    kind = what.partition(" ")[0]
    settings = SessionSettings(
        reactions={kind: word},
        safety=SafetySettings(missing_after=0.0, deadline=10.0),
    )
    bench = make_bench(body_of("g1"), settings.never_frozen())
    bench.engage()
    for _ in range(2):
        bench.device.sample = SPOILT[what](bench.frame())
        bench.turn()
    assert bench.state is after
    bench.play(0.1)
    assert bench.state is after


def test_by_default_one_bad_sample_of_any_kind_is_passed_over(bench: Any) -> None:
    bench.engage()
    for spoil in SPOILT.values():
        bench.device.sample = spoil(bench.frame())
        bench.turn()
        bench.play(0.05)
    assert bench.state is State.ACTIVE
    assert {"nan", "backwards", "incomplete", "malformed"} <= set(bench.kinds())


def test_what_a_device_dropped_is_told_with_its_detail(bench: Any) -> None:
    dropped, details = (("malformed", 2),), (("malformed", "only 7 bytes"),)
    for more in ({"details": details}, {}):
        bench.device.sample = DeviceSample(stamp=bench.now, dropped=dropped, **more)
        bench.turn()
        bench.silence(1.1)
    told = [e.reason for t in bench.ticks for e in t.events if e.kind == "malformed"]
    assert told[0] == "scripted: only 7 bytes (2 times)"
    assert told[1] == "scripted: a message made no sense (2 times)"


def test_every_bad_sample_is_counted_in_the_events(bench: Any) -> None:
    for _ in range(3):
        bench.device.sample = DeviceSample(stamp=bench.now, dropped=(("late", 1),))
        bench.turn()
    bench.silence(1.1)  # the others are told though no more come
    told = [e.reason for t in bench.ticks for e in t.events if e.kind == "late"]
    assert len(told) == 2
    assert "(2 times)" in told[1]


def test_what_was_not_told_yet_is_told_at_the_end(bench: Any) -> None:
    seen: list[Event] = []

    class Seen:
        def put(self, tick: Tick) -> None:
            seen.extend(tick.events)

        def close(self) -> None:
            """Nothing to finish."""

    bench.loop.sinks = (Seen(),)
    now = clock.now()
    for _ in range(5):
        bench.loop.supervisor.note("late", "a sample came too late", now)
    bench.loop.run(clock.Waker(), 0.0)
    told = [event.reason for event in seen if event.kind == "late"]
    assert told == ["a sample came too late", "a sample came too late (4 times)"]


def test_all_reasons_against_a_calibration_are_told(bench: Any) -> None:
    bench.now = 10.0 + 5.0
    bench.give(bench.frame(), Request.CALIBRATE)
    bench.play(2.0)
    told = [e for t in bench.ticks for e in t.events if e.kind == "calibration_refused"]
    assert len(told) > 1
    assert tuple(e.reason for e in told) == bench.loop.motion.capture.reasons
