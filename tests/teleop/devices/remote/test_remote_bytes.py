"""What goes between the sides: samples as bytes, seals, codes, clocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import exp_so3, log_so3
from telexist.robots.base import HandCommand
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.base.peer_clock import WINDOW, PeerClock
from telexist.teleop.devices.remote.identity import Identity, certificate_der
from telexist.teleop.devices.remote.pairing import (
    LIFE,
    PairingCode,
    pairing_proof,
    tidy_code,
)
from telexist.teleop.devices.remote.sample_datagrams import join_samples, split_samples
from telexist.teleop.devices.remote.sample_wire import pack_sample, unpack_sample
from telexist.teleop.devices.remote.sealed_datagrams import (
    MOST_BYTES,
    DatagramKind,
    Opener,
    Sealer,
    new_key,
)
from telexist.teleop.terms import DeviceSample, Treadmill, WalkCommand


def sample(seed: int, *, hands: bool = True) -> DeviceSample:
    """Return a sample with everything, segments in any order."""
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(SEGMENTS))[: 1 + seed % len(SEGMENTS)]
    count = len(chosen)
    points = rng.normal(0.0, 0.1, (2, 25, 3))
    points[seed % 2] = np.nan if seed % 3 == 0 else points[seed % 2]
    human = HumanFrame(
        stamp=100.0 + seed,
        segments=tuple(SEGMENTS[k] for k in chosen),
        rotations=exp_so3(rng.normal(size=(count, 3))),
        angular_velocities=np.zeros((count, 3)),
        positions=rng.normal(size=(count, 3)) if seed % 2 else None,
        hand_points=points if hands else None,
    )
    return DeviceSample(
        stamp=100.0 + seed,
        human=human,
        walk=WalkCommand(vx=0.25, vy=-0.5, wz=1.0),
        hands=HandCommand(left=0.25, right=1.0),
        treadmill=Treadmill(yaw=1.0, speed=0.5, direction=-0.5, height=0.0),
        dead_man=bool(seed % 2),
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_sample_comes_back(seed: int) -> None:
    before = sample(seed)
    after = unpack_sample(pack_sample(before, 7))
    human, person = before.human, after.person
    assert human is not None and person is not None
    assert (after.sequence, after.stamp) == (7, 100.0 + seed)
    assert set(person.segments) == set(human.segments)
    for k, name in enumerate(person.segments):
        j = human.segments.index(name)
        turn = log_so3(person.rotations[k] @ human.rotations[j].T)
        assert np.linalg.norm(turn) < 1e-4
        if human.positions is not None:
            assert person.positions[k] == pytest.approx(human.positions[j], abs=1e-6)
    assert human.hand_points is not None
    assert np.allclose(
        person.hand_points, human.hand_points, rtol=0.0, atol=3e-5, equal_nan=True
    )
    assert (after.rest.walk, after.rest.treadmill) == (before.walk, before.treadmill)
    assert after.rest.hands == before.hands
    assert after.rest.dead_man is before.dead_man


def test_random_and_changed_samples_are_refused_in_one_way() -> None:
    rng = np.random.default_rng(3)
    good = [pack_sample(sample(k), k) for k in range(1, 24)]
    taken = 0
    for k in range(20_000):
        if k % 2:
            data = rng.bytes(int(rng.integers(0, 200)))
        else:
            changed = bytearray(good[k % len(good)])
            for _ in range(int(rng.integers(1, 5))):
                changed[rng.integers(len(changed))] = rng.integers(256)
            data = bytes(changed[: rng.integers(1, len(changed) + 1)])
        try:
            found = unpack_sample(data)
        except RefusedMessage:
            continue
        taken += 1
        if found.person is not None:
            R = found.person.rotations
            assert np.allclose(R @ np.swapaxes(R, 1, 2), np.eye(3), atol=1e-9)
    assert taken < 5000  # some changes are of numbers that may be anything


def test_as_many_samples_go_together_as_there_is_room_for() -> None:
    packed = [pack_sample(sample(k, hands=False), k) for k in (2, 3, 4)]
    counts, found = split_samples(join_samples([3, 5], packed))
    assert counts == (3, 5)
    assert found == packed
    large = [bytes(500)] * 3
    joined = join_samples([0, 0], large)
    assert split_samples(joined)[1] == large[:2]
    assert len(Sealer(new_key()).seal(DatagramKind.SAMPLES, joined)) <= MOST_BYTES
    rng = np.random.default_rng(0)
    for _ in range(2000):
        try:
            split_samples(rng.bytes(int(rng.integers(0, 60))))
        except RefusedMessage:
            continue


def test_only_the_other_side_is_heard_and_only_once() -> None:
    key = new_key()
    sealer, opener = Sealer(key), Opener(key)
    first, second, third = (
        sealer.seal(DatagramKind.SAMPLES, bytes([k])) for k in range(3)
    )
    assert opener.open(first) == (DatagramKind.SAMPLES, b"\0")
    assert opener.open(third) == (DatagramKind.SAMPLES, b"\2")
    for again in (first, second, third):  # replayed and overtaken
        with pytest.raises(RefusedMessage, match="before"):
            opener.open(again)
    with pytest.raises(RefusedMessage, match="seal"):
        opener.open(Sealer(new_key()).seal(DatagramKind.PING, b"x"))


def test_no_random_and_no_changed_datagram_is_opened() -> None:
    rng, key = np.random.default_rng(5), new_key()
    sealer, opener = Sealer(key), Opener(key)
    for k in range(20_000):
        if k % 2:
            data = rng.bytes(int(rng.integers(0, 1400)))
        else:
            changed = bytearray(sealer.seal(DatagramKind.SAMPLES, b"a sample"))
            at = rng.integers(len(changed))
            changed[at] ^= 1 << rng.integers(8)
            data = bytes(changed)
        with pytest.raises(RefusedMessage):
            opener.open(data)
    assert opener.open(sealer.seal(DatagramKind.PING, b""))[1] == b""


def delays(shape: str, rng: np.random.Generator) -> np.ndarray:
    """Return the way there and the way back [s]: queues, or a line that trembles."""
    if shape == "queues":
        return 0.05 + rng.gamma(2.0, 0.003, 2)
    return 0.05 + 0.005 * rng.standard_normal(2)


@pytest.mark.parametrize("shape", ["queues", "trembles"])
def test_the_fastest_pings_tell_the_time(shape: str) -> None:
    rng, ahead, clock = np.random.default_rng(2), 1234.5, PeerClock()
    assert not clock.known
    assert clock.ours(5.0) == -np.inf
    errors = []
    for k in range(600):
        sent = 0.1 * k
        there, back = delays(shape, rng)
        clock.add(sent, sent + there + ahead, sent + there + back)
        errors.append(abs(clock.ours(ahead + sent) - sent))
    assert np.percentile(errors[50:], 99) < 0.005
    assert clock.round_trip < 0.11


def test_old_pings_are_forgotten_and_impossible_ones_ignored() -> None:
    clock = PeerClock()
    clock.add(0.0, 50.0, 0.01)
    clock.add(WINDOW + 1.0, 70.0 + WINDOW + 1.0, WINDOW + 1.5)
    assert clock.ours(70.0) == pytest.approx(0.25)  # it drifted: the new ping counts
    for sent, back in ((9.0, 8.0), (0.0, 60.0)):
        clock.add(sent, 1e6, back)
    assert clock.ours(70.0) == pytest.approx(0.25)


def test_a_code_is_good_once_for_a_while_and_against_guesses() -> None:
    robot, operator = b"robot's certificate", b"operator's certificate"
    code = PairingCode(0.0)
    typed = f" {code.text.lower()} "
    assert tidy_code(typed) == tidy_code(code.text)
    proof = pairing_proof(typed, "operator", robot, operator)
    assert not code.accepts(proof, robot, b"somebody in between", 1.0)
    assert code.accepts(proof, robot, operator, 2.0)
    assert not code.accepts(proof, robot, operator, 3.0)
    late, guessed = PairingCode(0.0), PairingCode(0.0)
    right = pairing_proof(late.text, "operator", robot, operator)
    assert not late.accepts(right, robot, operator, LIFE + 1.0)
    for _ in range(3):
        assert not guessed.accepts("0" * 64, robot, operator, 1.0)
    right = pairing_proof(guessed.text, "operator", robot, operator)
    assert not guessed.accepts(right, robot, operator, 1.0)


def test_a_side_keeps_its_certificate_and_its_peers_for_itself(tmp_path: Path) -> None:
    one, other = Identity(tmp_path / "a"), Identity(tmp_path / "b")
    assert Identity(tmp_path / "a").certificate == one.certificate
    assert one.certificate != other.certificate
    one.add_peer(other.certificate)
    (kept,) = Identity(tmp_path / "a").peers
    assert certificate_der(kept.read_text()) == certificate_der(other.certificate)
    assert (tmp_path / "a" / "own.pem").stat().st_mode & 0o077 == 0
    for text in ("", "no certificate", "-----BEGIN CERTIFICATE-----\nxx", "x" * 9999):
        with pytest.raises(BadInput):
            one.add_peer(text)
    (tmp_path / "c").write_text("a file")
    with pytest.raises(BadInput, match="no certificates"):
        Identity(tmp_path / "c")
