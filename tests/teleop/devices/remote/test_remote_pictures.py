"""The robot's eyes over a net: pieces, spare pieces, and what a bad line leaves."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import TelexistError
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import RefusedMessage, decode_jpeg
from telexist.teleop.devices.remote.erasure_code import restore, spare_pieces
from telexist.teleop.devices.remote.picture_budget import BYTES, PictureBudget
from telexist.teleop.devices.remote.picture_pieces import (
    MOST_JPEG,
    PictureJoiner,
    SplitPicture,
    split_picture,
)
from telexist.teleop.devices.remote.sealed_datagrams import (
    ROOM,
    DatagramKind,
    Opener,
    Sealer,
    new_key,
)


def sent(number: int, jpeg: bytes) -> SplitPicture:
    return SplitPicture(number=number, captured=2.5, stereo=True, fovy=1.2, jpeg=jpeg)


@pytest.mark.parametrize(("count", "spare"), [(1, 1), (2, 3), (7, 5), (22, 6), (60, 9)])
def test_any_pieces_give_the_whole_back(count: int, spare: int) -> None:
    rng = np.random.default_rng(count)
    pieces = rng.integers(0, 256, (count, 40), dtype=np.uint8)
    every = np.vstack([pieces, spare_pieces(pieces, spare)])
    for _ in range(20):
        kept = rng.permutation(count + spare)[:count]
        found = {int(k): every[k] for k in kept}
        np.testing.assert_array_equal(restore(found, count), pieces)


def test_one_spare_piece_of_equal_pieces_is_their_product_with_a_known_sum() -> None:
    # GF(256) by long multiplication, which shares nothing with the tables
    def times(a: int, b: int) -> int:
        product = 0
        for k in range(8):
            product ^= (a << k) if b >> k & 1 else 0
        for k in range(14, 7, -1):
            product ^= (0x11D << (k - 8)) if product >> k & 1 else 0
        return product

    def inverse(a: int) -> int:
        return next(b for b in range(256) if times(a, b) == 1)

    pieces = np.array([[7], [99], [200]], dtype=np.uint8)
    for j, found in enumerate(spare_pieces(pieces, 4)[:, 0].tolist()):
        expected = 0
        for i, piece in enumerate((7, 99, 200)):
            expected ^= times(inverse((255 - j) ^ i), piece)
        assert found == expected


def test_a_picture_survives_loss_and_disorder() -> None:
    rng = random.Random(0)
    joiner, whole = PictureJoiner(), 0
    for number in range(1, 40):
        jpeg = rng.randbytes(rng.randrange(1, 60_000))
        contents = split_picture(sent(number, jpeg), 0.3)
        assert max(map(len, contents)) <= ROOM
        rng.shuffle(contents)
        kept = [c for c in contents if rng.random() > 0.05]
        made = [joiner.add(content) for content in kept]
        pictures = [p for p in made if p is not None]
        whole += len(pictures)
        for picture in pictures:
            assert picture.jpeg == jpeg
            assert (picture.stamp, picture.stereo) == (2.5, True)
    assert whole >= 37


def test_broken_pieces_are_refused_and_crash_nothing() -> None:
    rng, joiner = random.Random(3), PictureJoiner()
    good = [c for n in range(1, 4) for c in split_picture(sent(n, bytes(9000)), 0.2)]
    for k in range(20_000):
        if k % 2:
            data = rng.randbytes(rng.randrange(60))
        else:
            spoilt = bytearray(rng.choice(good))
            for _ in range(rng.randrange(1, 4)):
                spoilt[rng.randrange(30)] = rng.randrange(256)
            data = bytes(spoilt[: rng.choice([len(spoilt), rng.randrange(60)])])
        try:
            joiner.add(data)
        except RefusedMessage:
            continue
    assert len(joiner._open) <= 4  # what never comes together is forgotten


def test_a_datagram_of_a_picture_counts_once_and_may_be_overtaken() -> None:
    key = new_key()
    sealer, opener = Sealer(key), Opener(key, window=8)
    made = [sealer.seal(DatagramKind.PICTURE, bytes([k])) for k in range(30)]
    for k in (1, 0, 3, 2, 9):
        assert opener.open(made[k])[1] == bytes([k])
    for k in (0, 1, 3, 9):  # before, or too far back
        with pytest.raises(TelexistError):
            opener.open(made[k])
    for k in range(10, 30):
        opener.open(made[k])
    with pytest.raises(TelexistError):
        opener.open(made[20])


def test_a_line_that_is_full_gets_smaller_pictures_and_larger_ones_again() -> None:
    budget = PictureBudget(30.0)
    begin = budget.quality
    for _ in range(20):
        budget.report(0.4, 0.0)
        for _ in range(15):
            budget.sent(40_000 if not budget.halved else 12_000)
    assert budget.halved
    assert budget.quality < begin
    for _ in range(200):
        budget.report(0.0, 0.01)
        for _ in range(15):
            budget.sent(9_000 if not budget.halved else 2_000)
    assert not budget.halved
    assert budget.quality > begin
    assert BYTES[0] < MOST_JPEG


def see(sides: Any) -> list[RobotFeedback]:
    """Give the operator's device eyes; return what they will have seen."""
    seen: list[RobotFeedback] = []
    sides.device.shows, sides.device.show = True, seen.append
    return seen


def picture(k: int) -> RobotFeedback:
    rng = np.random.default_rng(k)
    image = np.full((240, 320, 3), 90, dtype=np.uint8)
    image[::4] = rng.integers(0, 255, (60, 320, 3), dtype=np.uint8)
    return RobotFeedback(stamp=clock.now(), image=image)


def test_the_operator_sees_and_feels_what_the_robot_does(
    sides: Any, until: Any
) -> None:
    seen = see(sides)
    sides.connect()

    def pictures() -> list[RobotFeedback]:
        sides.source.show(picture(0))
        return [f for f in seen if f.jpeg is not None]

    until(pictures)
    first = pictures()[0]
    assert decode_jpeg(first.jpeg).shape == (240, 320, 3)
    assert clock.now() - 20.0 < first.stamp <= clock.now() + 0.05
    forces = np.array([0.0, 12.5])
    sides.source.show(RobotFeedback(stamp=clock.now(), hand_forces=forces))
    until(lambda: any(f.hand_forces is not None for f in seen))
    felt = next(f for f in seen if f.hand_forces is not None)
    np.testing.assert_allclose(felt.hand_forces, forces)


@pytest.mark.slow
def test_a_bad_line_leaves_most_pictures_and_none_waits_for_another(
    sides: Any, net: Any, until: Any
) -> None:
    seen = see(sides)
    net.delay, net.loss, net.jitter = 0.05, 0.02, 0.005
    sides.connect(net.port)
    until(lambda: (sides.source.show(picture(1)), clock.sleep(0.05), seen)[2])
    seen.clear()
    for k in range(120):
        sides.source.show(picture(k))
        clock.sleep(1.0 / 30.0)
    until(lambda: seen)
    clock.sleep(0.3)
    numbers = [f.stamp for f in seen if f.jpeg is not None]
    assert numbers == sorted(numbers)
    assert len(numbers) > 60  # of 120, on a machine that may stall
