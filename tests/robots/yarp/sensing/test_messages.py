"""Pictures and sensors against what the real YARP sent and printed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from telexist.retarget.errors import BadMessage
from telexist.robots.yarp.sensing import (
    picture_message,
    read_imu,
    read_picture,
    read_sensor_names,
)
from telexist.robots.yarp.wire import (
    YARP_3,
    YARP_4,
    Dialect,
    FrameReader,
    Vocab,
    encode_bottle,
    parse_text,
)

NUMBER = re.compile(r"-?\d+\.\d+")


def frames_of(file: Path) -> list[bytes]:
    """Return the payloads of every message with an envelope in a capture."""
    streams: dict[tuple[int, str], FrameReader] = {}
    payloads = []
    for line in file.read_text().splitlines()[1:]:
        row = json.loads(line)
        if "hex" not in row or "conn" not in row:
            continue
        data = bytes.fromhex(row["hex"])
        at = data.find(b"YA\x0a\0\0\0RP")
        if at < 0:
            continue
        reader = streams.setdefault((row["conn"], row["from"]), FrameReader())
        reader.buffer.clear()
        reader.feed(data[at:])
        while True:
            try:
                frame = reader.frame()
            except BadMessage:
                break
            if frame is None:
                break
            if frame.envelope is not None:
                payloads.append(frame.payload)
    return payloads


def printed_of(file: Path) -> list[str]:
    first = json.loads(file.read_text().splitlines()[0])
    return [str(text) for text in first["printed"]]


def test_captured_pictures_have_the_pixels_that_yarp_printed(shared_data: Path) -> None:
    file = shared_data / "yarp" / "3.12" / "camera_rgb.jsonl"
    printed = [t for t in printed_of(file) if "[rgb]" in t]
    pictures = [read_picture(payload) for payload in frames_of(file)]
    assert len(pictures) >= len(printed) >= 1
    blob = re.search(r"\{([\d ]+)\}", printed[0])
    assert blob is not None
    told = np.array(blob[1].split(), dtype=np.uint8).reshape(6, 24)[:, : 8 * 3]
    assert pictures[0].shape == (6, 8, 3)
    assert np.array_equal(pictures[0], told.reshape(6, 8, 3))


def test_a_captured_imu_says_what_yarp_printed(shared_data: Path) -> None:
    file = shared_data / "yarp" / "3.12" / "imu.jsonl"
    answer = next(t for t in printed_of(file) if t.startswith("Response: (("))
    sensors = read_sensor_names(parse_text(answer.removeprefix("Response: ")))
    assert sensors.frames[0] == ("head_imu_frame",)
    told = {
        tuple(float(k) for k in NUMBER.findall(text)[2:5])
        for text in printed_of(file)
        if text[:1].isdigit()
    }
    assert told
    turns = set()
    for payload in frames_of(file):
        try:
            reading = read_imu(payload, sensors, "head_imu_frame")
        except BadMessage:
            continue
        turns.add(tuple(np.degrees(reading.angular_velocity).round(9).tolist()))
        assert np.linalg.norm(reading.acceleration) == pytest.approx(9.81, abs=1e-6)
    assert len(turns) >= 3


@pytest.mark.parametrize("dialect", [YARP_3, YARP_4])
@pytest.mark.parametrize("width", [1, 7, 8, 33])
def test_a_picture_comes_back_whatever_its_width(dialect: Dialect, width: int) -> None:
    rng = np.random.default_rng(width)
    picture = rng.integers(0, 256, (5, width, 3), dtype=np.uint8)
    payload = encode_bottle(picture_message(picture), dialect)
    assert np.array_equal(read_picture(payload), picture)


def test_colours_of_other_orders_are_put_right() -> None:
    picture = np.arange(2 * 8 * 3, dtype=np.uint8).reshape(2, 8, 3)
    message = picture_message(np.ascontiguousarray(picture[..., ::-1]))
    message[1] = Vocab("bgr")
    assert np.array_equal(read_picture(encode_bottle(message, YARP_3)), picture)
    grey = [Vocab("mat"), Vocab("mono"), [1, 16, 65544, 8, 2], bytes(range(16))]
    found = read_picture(encode_bottle(grey, YARP_3))
    assert np.array_equal(found[..., 1], np.arange(16).reshape(2, 8))


@pytest.mark.parametrize(
    "change",
    [
        {2: [3, 48, 65544, 8, 10**9]},
        {2: [3, 48, 65544, -8, 2]},
        {2: [4, 48, 65544, 8, 2]},
        {2: [3.0, 48.0, 65544.0, 8.0, 2.0]},
        {3: b"short"},
        {3: "text"},
        {1: Vocab("zzz")},
        {0: "mat"},
    ],
)
def test_a_picture_that_contradicts_itself_is_refused(
    change: dict[int, object],
) -> None:
    message = picture_message(np.zeros((2, 8, 3), dtype=np.uint8))
    for place, value in change.items():
        message[place] = value  # type: ignore[call-overload]
    with pytest.raises(BadMessage, match="picture"):
        read_picture(encode_bottle(message, YARP_3))


@given(st.binary(max_size=200), st.integers(0, 400))
def test_nonsense_is_never_a_picture(data: bytes, cut: int) -> None:
    whole = encode_bottle(picture_message(np.ones((4, 5, 3), np.uint8)), YARP_3)
    for payload in (data, whole[:cut] + data):
        if payload != whole:
            try:
                found = read_picture(payload)
            except BadMessage:
                continue
            assert found.shape[2] == 3


def test_an_imu_with_no_numbers_is_refused() -> None:
    entry = [[[1.0, float("nan"), 0.0], 1.0]]
    good = [[[0.0, 0.0, 9.81], 1.0]]
    sensor = [["imu", "waist", ""]]
    sensors = read_sensor_names([sensor, sensor, *([[]] * 10)])
    message = [entry, good, *([[]] * 10)]
    with pytest.raises(BadMessage, match="waist"):
        read_imu(encode_bottle(message, YARP_3), sensors, "waist")
    with pytest.raises(BadMessage, match="no gyroscope"):
        read_imu(encode_bottle(message, YARP_3), sensors, "elsewhere")
    with pytest.raises(BadMessage, match="12"):
        read_sensor_names([sensor])
