"""Two sides over sockets: who gets in, what moves, and what ends it."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import DeviceLost
from telexist.teleop import clock
from telexist.teleop.devices.base import make_device
from telexist.teleop.devices.remote import Identity, RemoteSource, pair_with
from telexist.teleop.devices.remote.peer_input import DEADLINE
from telexist.teleop.terms import DeviceSample, Request, SessionNews

Until = Callable[..., None]


def heard(source: RemoteSource, seconds: float) -> list[DeviceSample]:
    """Return what a session would read for a while."""
    found, end = [], clock.now() + seconds
    while clock.now() < end:
        try:
            sample = source.read()
        except DeviceLost:
            sample = None
        if sample is not None:
            found.append(sample)
        clock.sleep(0.002)
    return found


def moved(samples: list[DeviceSample]) -> int:
    return sum(sample.human is not None for sample in samples)


def test_a_sample_arrives_with_its_own_time_and_velocity(sides: Any) -> None:
    sides.connect()
    heard(sides.source, 0.3)
    sides.device.show_person()
    shown = sides.device.sequence
    (sample,) = [s for s in heard(sides.source, 0.3) if s.human]
    assert shown == 1
    assert sample.human is not None
    assert sample.human.segments == ("Head", "RightHand", "LeftHand")
    assert sample.human.positions is not None
    assert sample.human.positions[1] == pytest.approx([0.0, -0.3, 1.0])
    assert 0.0 <= sides.source.peer.age < DEADLINE
    assert sample.stamp == sample.human.stamp <= clock.now()


def test_buttons_arrive_in_order_and_states_come_back(sides: Any) -> None:
    side = sides.connect()
    sides.device.ask(Request.CALIBRATE, Request.ENGAGE)
    asked = [r for s in heard(sides.source, 0.4) for r in s.requests]
    assert asked == [Request.CALIBRATE, Request.ENGAGE]
    sides.device.ask(Request.STOP)
    asked = [r for s in heard(sides.source, 0.4) for r in s.requests]
    assert set(asked) == {Request.STOP}  # by datagram, over TLS, or both
    sides.source.tell(
        SessionNews(state="active", events=("[active] engage: by somebody",))
    )
    end = clock.now() + 10.0
    while side.state != "active" and clock.now() < end:
        clock.sleep(0.01)
    assert side.state == "active"
    assert any("engage: by somebody" in line for line in sides.lines)


def test_an_engage_that_a_hold_has_overtaken_does_nothing(sides: Any, net: Any) -> None:
    sides.connect(net.port)
    heard(sides.source, 0.2)
    net.slow_tcp = 0.5
    sides.device.ask(Request.ENGAGE)
    clock.sleep(0.1)
    sides.device.ask(Request.HOLD)
    asked = [r for s in heard(sides.source, 2.0) for r in s.requests]
    assert Request.HOLD in asked
    assert Request.ENGAGE not in asked


def test_only_who_was_paired_gets_in(sides: Any, tmp_path: Path) -> None:
    stranger = Identity(tmp_path / "stranger")
    stranger.add_peer(sides.robot.certificate)  # it knows the robot, not the other way
    place = ("127.0.0.1", sides.source.port)
    with pytest.raises(DeviceLost, match="pairing is over"):
        pair_with(stranger, place, "ABCDE-FGHJK")  # the code was used
    tls = stranger.client_context()
    with (
        socket.create_connection(place, 10.0) as raw,
        pytest.raises(OSError, match=r"(?i)alert|closed"),
        tls.wrap_socket(raw, server_hostname="x") as line,
    ):
        line.sendall(b'{"requests": ["stop"], "sent": 0}\n')
        assert line.recv(4096) == b""
        raise ConnectionResetError("closed without a word")
    assert not sides.source.connected
    assert heard(sides.source, 0.1) == []


def test_a_wrong_code_pairs_nobody(tmp_path: Path) -> None:
    robot, operator = Identity(tmp_path / "r"), Identity(tmp_path / "o")
    source = RemoteSource(robot, host="127.0.0.1", port=0, pair=True, still=False)
    source.open(lambda: None)
    try:
        assert source.code is not None
        assert source.code.text in source.manual
        with pytest.raises(DeviceLost, match="code is wrong"):
            pair_with(operator, ("127.0.0.1", source.port), "ABCDE-FGHJK")
        assert robot.peers == operator.peers == ()
    finally:
        source.close()


def test_an_operator_does_not_talk_to_another_robot(
    sides: Any, tmp_path: Path, until: Until
) -> None:
    other = Identity(tmp_path / "other")
    other.add_peer(sides.operator.certificate)
    source = RemoteSource(other, host="127.0.0.1", port=0, pair=False, still=False)
    source.open(lambda: None)
    try:
        with pytest.raises(AssertionError, match="did not come"):
            until_short = 1.5
            sides_connect(sides, source.port, until, until_short)
        assert not source.connected
        until(lambda: any("trying again" in line for line in sides.lines))
    finally:
        source.close()


def sides_connect(sides: Any, port: int, until: Until, patience: float) -> None:
    """Try to connect to a port for a while."""
    import threading

    from telexist.teleop.devices.remote import OperatorSide

    side = OperatorSide(
        sides.operator, ("127.0.0.1", port), [sides.device], sides.lines.append
    )
    thread = threading.Thread(target=side.run, daemon=True)
    thread.start()
    try:
        until(lambda: side.connected, patience)
    finally:
        side.stop()
        thread.join(10.0)


def test_a_second_operator_is_refused_while_the_first_is_there(
    sides: Any, until: Until
) -> None:
    sides.connect()
    with pytest.raises(AssertionError, match="did not come"):
        sides_connect(sides, sides.source.port, until, 1.0)
    assert any("another operator" in line for line in sides.lines)
    assert sides.source.connected


def test_replayed_overtaken_and_foreign_datagrams_move_nothing(
    sides: Any, net: Any, until: Until
) -> None:
    sides.connect(net.port)
    for _ in range(30):
        sides.device.show_person()
        clock.sleep(0.01)
    assert moved(heard(sides.source, 0.3)) >= 1
    seen, rng = list(net.seen), np.random.default_rng(1)
    for data in (*seen, *reversed(seen)):
        net.send(data)
    for k in range(2000):
        changed = bytearray(seen[k % len(seen)])
        changed[rng.integers(len(changed))] ^= 1 << rng.integers(8)
        net.send(bytes(changed) if k % 2 else rng.bytes(int(rng.integers(0, 1300))))
    after = heard(sides.source, 0.5)
    assert moved(after) == 0
    assert [r for s in after for r in s.requests] == []
    counted = {word for s in after for word, _ in s.dropped}
    assert {"stranger", "duplicate"} <= counted
    sides.device.show_person()
    until(lambda: moved(heard(sides.source, 0.05)))


def test_a_backlog_moves_nothing_and_engages_nobody(
    sides: Any, net: Any, until: Until
) -> None:
    sides.connect(net.port)
    sides.device.show_person()
    assert moved(heard(sides.source, 0.3)) == 1
    net.held = True
    clock.sleep(0.05)
    heard(sides.source, 0.05)
    for _ in range(25):  # for less time than ends a connection
        sides.device.show_person()
        clock.sleep(0.05)
    sides.device.ask(Request.ENGAGE, Request.HOLD)
    clock.sleep(1.1)
    begun = clock.now()
    net.held = False
    samples = heard(sides.source, 0.5)
    assert moved(samples) == 0
    asked = [r for s in samples for r in s.requests]
    assert Request.ENGAGE not in asked
    assert Request.HOLD in asked  # at any age
    assert "late" in {word for s in samples for word, _ in s.dropped}
    sides.device.show_person()
    fresh = [s for s in heard(sides.source, 0.5) if s.human]
    assert fresh
    assert fresh[0].stamp > begun


def test_a_sample_that_was_old_at_its_source_moves_nothing(sides: Any) -> None:
    sides.connect()
    sides.device.show_person(age=DEADLINE + 0.1)
    assert moved(heard(sides.source, 0.3)) == 0
    sides.device.show_person(age=0.5 * DEADLINE)
    (sample,) = [s for s in heard(sides.source, 0.3) if s.human]
    assert clock.now() - sample.stamp > 0.5 * DEADLINE


def test_a_side_that_goes_away_is_lost_and_found_again(
    sides: Any, until: Until
) -> None:
    side = sides.connect()
    side.stop()
    until(lambda: not sides.source.connected)
    asked = [r for s in heard(sides.source, 0.2) for r in s.requests]
    assert Request.STOP in asked  # its last word
    with pytest.raises(DeviceLost, match="gone"):
        sides.source.read()
    sides.connect()
    sides.device.show_person()
    assert moved(heard(sides.source, 0.3)) == 1


def test_the_robots_side_is_found_again_after_it_was_closed(
    sides: Any, until: Until
) -> None:
    side = sides.connect()
    sides.source.close()
    until(lambda: not side.connected)
    sides.source.open(lambda: None)
    until(lambda: side.connected and sides.source.connected)


def test_whatever_is_said_over_tls_only_ends_the_connection(sides: Any) -> None:
    rng = np.random.default_rng(9)
    good = json.dumps({"requests": ["hold"], "sent": 1.0}).encode()
    tls = sides.operator.client_context()
    for k in range(40):
        with (
            socket.create_connection(("127.0.0.1", sides.source.port), 10.0) as raw,
            tls.wrap_socket(raw, server_hostname="x") as line,
        ):
            line.settimeout(10.0)
            line.recv(4096)
            for _ in range(250):
                changed = bytearray(good)
                changed[rng.integers(len(changed))] = rng.integers(256)
                text = bytes(changed) if k % 2 else rng.bytes(int(rng.integers(1, 60)))
                try:
                    line.sendall(text + b"\n")
                except OSError:
                    break
    asked = {r for s in heard(sides.source, 0.5) for r in s.requests}
    assert asked <= {Request.HOLD}
    clock.sleep(0.2)
    sides.connect()


def test_silence_and_noise_hold_no_place(sides: Any) -> None:
    place = ("127.0.0.1", sides.source.port)
    strangers = [socket.create_connection(place, 10.0) for _ in range(6)]
    for k, stranger in enumerate(strangers):
        if k % 2:
            stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
    sides.connect()
    sides.device.show_person()
    assert moved(heard(sides.source, 0.3)) == 1
    for stranger in strangers:
        stranger.close()


def test_who_brings_no_certificate_may_only_be_paired(sides: Any) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    with (
        socket.create_connection(("127.0.0.1", sides.source.port), 10.0) as raw,
        tls.wrap_socket(raw) as line,
    ):
        line.sendall(b'{"requests": ["engage"], "sent": 0}\n')
        answer = line.recv(4096)
    assert b"keys" not in answer
    assert heard(sides.source, 0.1) == []


def test_without_being_asked_it_listens_here_alone() -> None:
    device = make_device("remote")
    assert "127.0.0.1" in device.name
