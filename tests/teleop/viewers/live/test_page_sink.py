"""What reaches the page: the newest tick, every event, and never a wait."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.robots.base.interface import JointCommand, RobotFeedback, RobotState
from telexist.teleop.terms.controller_report import ControllerReport
from telexist.teleop.terms.device_sample import Provides
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.tick import STAGES, Event, State, Tick
from telexist.teleop.viewers.live.page_device import MAX_WAITING, PageDevice
from telexist.teleop.viewers.live.page_sink import MAX_MARK_SIZE, PageSink
from telexist.teleop.viewers.live.page_update import (
    PICTURE,
    UPDATE,
    PageUpdate,
    decode_picture,
    decode_update,
    encode_picture,
    encode_update,
)

N = 3


def robot_state(q: float = 0.0) -> RobotState:
    return RobotState(
        stamp=0.0,
        q=np.full(N, q),
        dq=np.zeros(N),
        tau=np.zeros(N),
        imu_acceleration=np.zeros(3),
        imu_angular_velocity=np.zeros(3),
        imu_world_R_base=np.eye(3),
        foot_wrenches=np.zeros((2, 6)),
        world_p_base=np.array([0.1, 0.2, 0.3]),
        world_R_base=np.eye(3),
    )


def tick(number: int = 0, **change: object) -> Tick:
    zero = np.zeros(N)
    made = Tick(
        number=number,
        stamp=100.0 + 0.005 * number,
        period=0.005,
        state=State.ACTIVE,
        reference=RobotReference(stamp=0.0, q=zero, dq=zero, ddq=zero),
    )
    return replace(made, **change)  # type: ignore[arg-type]


class Pipe:
    """Remembers what was sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def __call__(self, message: bytes) -> None:
        self.sent.append(message)

    def updates(self) -> list[PageUpdate]:
        return [decode_update(m) for m in self.sent if m[:1] == UPDATE]


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def test_an_update_arrives_as_it_was_sent() -> None:
    pipe = Pipe()
    sink = PageSink(pipe, rate=200.0)
    human = builtin_clip(rate=10.0).frame(3)
    command = JointCommand(stamp=0.0, q=np.full(N, 0.1), dq=np.zeros(N))
    report = ControllerReport(
        values={"com": np.array([1.0, 2.0, 3.0]), "huge": np.zeros(MAX_MARK_SIZE + 1)}
    )
    event = Event(stamp=100.5, kind="jump", reason="<b>hand</b>", state=State.HOLDING)
    sink.put(
        tick(
            human=human,
            robot=robot_state(),
            command=command,
            report=report,
            events=(event,),
            notice="stand still: 2 s",
            stages=(0.001,) * len(STAGES),
            age=0.012,
        )
    )
    wait_for(pipe.updates)
    sink.close()
    update = pipe.updates()[0]
    assert update.state == "active"
    assert update.q == pytest.approx(np.zeros(N))
    assert update.world_p_base == pytest.approx([0.1, 0.2, 0.3])
    assert update.segments == human.segments
    assert update.human_R == pytest.approx(human.rotations)
    assert update.human_p == pytest.approx(human.positions)
    assert update.notice == "stand still: 2 s"
    assert list(update.marks) == ["com"]
    assert update.readings["largest error"] == pytest.approx(np.degrees(0.1))
    assert update.readings["period"] == pytest.approx(5.0)
    assert update.readings["control"] == pytest.approx(1.0)
    assert update.readings["age"] == pytest.approx(12.0)
    assert update.events[0].reason == "<b>hand</b>"
    assert update.events[0].stamp == pytest.approx(0.5)


def test_frames_are_skipped_but_no_event_is_lost() -> None:
    pipe, busy, free = Pipe(), threading.Event(), threading.Event()

    def send(message: bytes) -> None:
        busy.set()
        free.wait()
        pipe(message)

    sink = PageSink(send, rate=50.0)
    sink.put(tick(0, events=(numbered(0),)))
    assert busy.wait(60.0)
    for k in range(1, 400):
        sink.put(tick(k, events=(numbered(k),)))
    free.set()
    reasons: list[str] = []

    def all_there() -> bool:
        reasons[:] = [e.reason for u in pipe.updates() for e in u.events]
        return len(reasons) == 400

    wait_for(all_there)
    sink.close()
    assert reasons == [str(k) for k in range(400)]
    assert len(pipe.updates()) == 2  # the first, and all that came meanwhile


def numbered(k: int) -> Event:
    return Event(stamp=0.0, kind="n", reason=str(k), state=State.ACTIVE)


def test_a_stuck_page_does_not_stop_the_loop() -> None:
    stuck = threading.Event()
    entered = threading.Event()

    def send(_: bytes) -> None:
        entered.set()
        stuck.wait(60.0)

    sink = PageSink(send, rate=200.0)
    sink.put(tick())
    assert entered.wait(60.0)
    for k in range(5000):  # would wait a minute if it waited at all
        sink.put(tick(k, robot=robot_state()))
    assert not stuck.is_set()
    sink.close()
    stuck.set()
    sink.join(60.0)


def test_a_dead_page_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    def send(_: bytes) -> None:
        raise BrokenPipeError

    sink = PageSink(send, rate=200.0)
    sink.put(tick())
    wait_for(lambda: "without it" in caplog.text)
    sink.put(tick())
    sink.close()
    sink.close()
    assert caplog.text.count("without it") == 1


def test_an_estimated_base_is_taken_from_the_report() -> None:
    pipe = Pipe()
    sink = PageSink(pipe, rate=200.0)
    lost = replace(robot_state(), world_p_base=None, world_R_base=None)
    values = {"world_p_base": np.array([5.0, 6.0, 7.0]), "world_R_base": np.eye(3)}
    sink.put(tick(robot=lost, report=ControllerReport(values=values)))
    wait_for(pipe.updates)
    sink.close()
    assert pipe.updates()[0].world_p_base == pytest.approx([5.0, 6.0, 7.0])
    assert not pipe.updates()[0].marks


def test_pictures_are_sent_as_they_are() -> None:
    pipe = Pipe()
    sink = PageSink(pipe, rate=200.0)
    image = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    sink.put(tick(feedback=RobotFeedback(stamp=0.0, image=image)))
    wait_for(lambda: any(m[:1] == PICTURE for m in pipe.sent))
    sink.close()
    sent = next(m for m in pipe.sent if m[:1] == PICTURE)
    assert np.array_equal(decode_picture(sent), image)
    assert np.array_equal(decode_picture(encode_picture(image)), image)


def test_what_is_not_finite_travels_as_nan() -> None:
    update = PageUpdate(
        stamp=1.0,
        state="idle",
        q=np.array([np.nan, np.inf, 1.0]),
        readings={"age": float("nan")},
    )
    back = decode_update(encode_update(update))
    assert back.q is not None
    assert np.isnan(back.q[:2]).all()
    assert np.isnan(back.readings["age"])


def test_buttons_are_a_device() -> None:
    woken: list[int] = []
    device = PageDevice()
    device.open(lambda: woken.append(1))
    assert device.provides == {Provides.REQUESTS}
    assert device.deadline == float("inf")
    assert device.read() is None
    for request in (Request.CALIBRATE, Request.ENGAGE, Request.STOP):
        device.push(request)
    sample = device.read()
    assert sample is not None
    assert sample.requests == (Request.CALIBRATE, Request.ENGAGE, Request.STOP)
    assert len(woken) == 3
    assert device.read() is None
    device.close()
    device.close()


def test_a_flood_of_clicks_cannot_hide_a_stop() -> None:
    device = PageDevice()
    for _ in range(10 * MAX_WAITING):
        device.push(Request.ENGAGE)
    device.push(Request.STOP)
    sample = device.read()
    assert sample is not None
    assert len(sample.requests) <= MAX_WAITING
    assert sample.requests[-1] is Request.STOP
