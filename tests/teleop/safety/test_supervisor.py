from __future__ import annotations

import pytest
from telexist.teleop.safety.supervisor import Supervisor
from telexist.teleop.settings.settings import SessionSettings
from telexist.teleop.terms.reactions import REACTIONS, Reaction
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import State


def _active() -> Supervisor:
    supervisor = Supervisor(SessionSettings())
    supervisor.calibrated("test", 0.0)
    assert supervisor.request(Request.ENGAGE, "test", 0.0)
    supervisor.arrived(1.0)
    supervisor.drain()
    return supervisor


@pytest.mark.parametrize("kind", sorted(REACTIONS))
def test_every_fault_does_what_the_table_says(kind: str) -> None:
    supervisor = _active()
    supervisor.fault(kind, "because", 2.0)
    after = {
        Reaction.NOTE: State.ACTIVE,
        Reaction.HOLD: State.HOLDING,
        Reaction.STOP: State.STOPPED,
    }
    assert supervisor.state is after[REACTIONS[kind]]
    (event,) = supervisor.drain()
    assert (event.kind, event.reason, event.stamp) == (kind, "because", 2.0)
    assert event.state is supervisor.state


@pytest.mark.parametrize("kind", sorted(REACTIONS))
def test_no_fault_moves_a_robot_that_is_still(kind: str) -> None:
    for state in (State.IDLE, State.CALIBRATED, State.HOLDING, State.STOPPED):
        supervisor = _active()
        supervisor.state = state
        supervisor.fault(kind, "because", 2.0)
        assert not supervisor.moving


def test_after_a_stop_only_reset_and_engage_move_again() -> None:
    supervisor = _active()
    supervisor.request(Request.STOP, "page", 2.0)
    assert supervisor.state is State.STOPPED
    for request in (Request.ENGAGE, Request.HOLD):
        assert not supervisor.request(request, "page", 3.0)
        assert supervisor.state is State.STOPPED
    assert supervisor.request(Request.RESET, "page", 4.0)
    assert supervisor.state is State.CALIBRATED
    assert supervisor.request(Request.ENGAGE, "page", 5.0)
    kinds = [event.kind for event in supervisor.drain()]
    assert kinds == ["estop", "refused_request", "refused_request", "reset", "engage"]


def test_a_hold_ends_only_by_a_deliberate_act() -> None:
    supervisor = _active()
    supervisor.fault("stale", "silence", 2.0)
    supervisor.calibrated("again", 3.0)
    assert supervisor.state is State.HOLDING
    assert supervisor.request(Request.ENGAGE, "joypad", 4.0)
    assert supervisor.state is State.ENGAGING


def test_idle_cannot_engage_and_moving_cannot_calibrate() -> None:
    idle = Supervisor(SessionSettings())
    assert not idle.request(Request.ENGAGE, "key", 0.0)
    assert not _active().request(Request.CALIBRATE, "key", 0.0)


def test_notes_are_told_once_a_second_with_their_count() -> None:
    supervisor = _active()
    for k in range(250):
        supervisor.note("nan", "a bad sample", 10.0 + 0.01 * k)
    events = supervisor.drain()
    assert len(events) == 3
    assert "100 times" in events[1].reason


def test_settings_may_choose_another_reaction() -> None:
    supervisor = Supervisor(SessionSettings(reactions={"stale": "stop"}))
    supervisor.calibrated("test", 0.0)
    supervisor.request(Request.ENGAGE, "test", 0.0)
    supervisor.fault("stale", "silence", 1.0)
    assert supervisor.state is State.STOPPED


def test_who_holds_already_is_not_refused_a_hold() -> None:
    supervisor = _active()
    for when in (2.0, 3.0):
        assert supervisor.request(Request.HOLD, "joypad", when)
        assert supervisor.state is State.HOLDING
    assert [event.kind for event in supervisor.drain()] == ["hold"]
