"""Which samples are new: late ones, restarts, and what was lost."""

from __future__ import annotations

import pytest
from telexist.retarget.errors import BadInput
from telexist.teleop.devices.base.sample_counter import (
    MAX_AHEAD,
    RESTART_AFTER,
    SampleCounter,
    SequenceVerdict,
)
from telexist.teleop.devices.network.sender_gate import (
    SILENCE,
    SenderGate,
    parse_sender,
)

HERE, THERE = ("127.0.0.1", 5000), ("127.0.0.1", 6000)


def test_lower_numbers_are_late_and_the_same_is_the_same() -> None:
    counter = SampleCounter()
    said = [counter.judge(n, k * 0.01) for k, n in enumerate([7, 8, 8, 7, 9, 5])]
    assert said == [
        SequenceVerdict.RESTART,
        SequenceVerdict.NEW,
        SequenceVerdict.SAME,
        SequenceVerdict.LATE,
        SequenceVerdict.NEW,
        SequenceVerdict.LATE,
    ]


def test_lost_samples_are_counted_in_steps_of_the_source() -> None:
    counter = SampleCounter()
    lost = []
    for k, number in enumerate([0, 4, 8, 20, 24]):  # every fourth; two are missing
        counter.judge(number, k * 0.016)
        lost.append(counter.lost)
    assert lost == [0, 0, 0, 2, 0]


def test_a_restart_is_taken_after_a_silence_only() -> None:
    counter = SampleCounter()
    counter.judge(1000, 0.0)
    assert counter.judge(0, 0.1) is SequenceVerdict.LATE
    assert counter.judge(1, RESTART_AFTER - 0.01) is SequenceVerdict.LATE
    assert counter.judge(2, RESTART_AFTER + 0.01) is SequenceVerdict.RESTART
    assert counter.judge(3, RESTART_AFTER + 0.02) is SequenceVerdict.NEW
    assert counter.lost == 0


def test_a_number_far_ahead_does_not_shut_out_the_real_ones() -> None:
    counter = SampleCounter()
    counter.judge(10, 0.0)
    assert counter.judge(11 + MAX_AHEAD, 0.01) is SequenceVerdict.ABSURD
    assert counter.judge(11, 0.02) is SequenceVerdict.NEW


def test_the_first_well_formed_sender_wins() -> None:
    gate = SenderGate()
    assert gate.admits(HERE, 0.0) and gate.admits(THERE, 0.0)
    gate.confirm(THERE, 0.0)
    assert not gate.admits(HERE, SILENCE - 0.1)
    assert gate.admits(THERE, SILENCE - 0.1)


def test_another_sender_may_take_over_after_a_silence() -> None:
    gate = SenderGate()
    gate.confirm(HERE, 0.0)
    assert gate.admits(THERE, SILENCE + 0.1)
    assert gate.confirm(THERE, SILENCE + 0.1)
    assert not gate.admits(HERE, SILENCE + 0.2)


def test_a_declared_sender_is_the_only_one() -> None:
    gate = SenderGate(parse_sender("10.0.0.7"))
    assert not gate.admits(HERE, 100.0)
    assert gate.admits(("10.0.0.7", 1), 100.0)
    exact = SenderGate(parse_sender("10.0.0.7:9000"))
    assert not exact.admits(("10.0.0.7", 1), 0.0)
    assert exact.admits(("10.0.0.7", 9000), 0.0)


@pytest.mark.parametrize(
    "text", ["", "me", "10.0.0.7:x", "10.0.0.7:0", "10.0.0.7:70000"]
)
def test_a_sender_that_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="192.168"):
        parse_sender(text)
