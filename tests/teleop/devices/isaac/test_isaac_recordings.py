"""The 24 joints: their axes, the FlatBuffer, and IsaacTeleop's recordings of them.

`RECORD` was written by Google's `flatbuffers` 25.12 for Python, with the schema of
IsaacTeleop, of the numbers that `_golden` draws. Recordings that our writer makes were
replayed by isaacteleop 1.5.175 itself, number by number, when this was written.
"""

from __future__ import annotations

import base64
import struct
from pathlib import Path

import numpy as np
import pytest
from mcap.writer import Writer
from telexist.retarget.errors import BadFrame, BadRecording
from telexist.retarget.recordings import read_clip
from telexist.retarget.recordings.isaac import (
    FULL_BODY_SIZE,
    JOINT_PARENTS,
    JOINTS,
    SEGMENT_JOINT,
    Body24,
    from_openxr,
    holds_full_bodies,
    read_full_body,
    read_record,
    to_openxr,
    write_full_body,
)
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import angle_between, quat_wxyz_from_rotation
from telexist.teleop.devices.person.simulated_operator import SimulatedOperator
from telexist.teleop.devices.simulators.senders.body24_senders import body24

RECORD = base64.b64decode(
    "DAAAAAgAIgAcAAQACAAAAAoAAAAAAAAAFAAAAAAAAAAeAAAAAAAAAAwAAAAAAAYABAMEAAYAAABrngJA"
    "BJAjwA0R1j7NBDM/FREGv3SaHz5d/Ou+AQAAAFlZEb+mwee+gcVcvrHhHz8wkx28F1MpvvFiQ78BAAAA"
    "dEcBwK5/bb6bfl2/GsQ7PzEWqD4UQ6g+XRP+PgEAAAAGrFRAmzRnPgaMtL4x24Q+QTDzvsQ3GL/BNRi/"
    "AQAAAOgEkL4WBSu/LA+HvxzrJT/f2jC/aHGQvu+cG74BAAAAERfIvozB9j5mR3S+nBXPPd6bhD7P8g+/"
    "yV5HvwEAAACtL3U/7phMvv+7xjz8/Ue7+cVWP277BT9HqRg+AQAAAHXdxT8JjAs/rFYBvzTjqb7QEp0+"
    "RViCvlHfWj8BAAAAJDo7vttfCj/3sPc/ru5PvyOKDD4t9ee97jYOPwEAAACtC4q+cmd5vtBLgD9Gd4o9"
    "dnpEP8rw5j4kpeY+AQAAAArvYr9bXJW+E+5hP1ooa7+39By+6ViMvrWxdT4BAAAA0pEUPxxtuz32iys/"
    "hjg+v5sPxD7+HLI+V1vZvgAAAACcADXAL7qCP0erdb+6mTC/ypYQv8UJ+jzBWuc+AQAAAFaV1b9Mio0+"
    "6VYzP6cmbj9xsLe964GyPveWkD0AAAAAj7jjvqvHib+/A9Y8oEkuP1r+kj55hwc/aXLVvgEAAACQDVi9"
    "pOqzPyFWPz+foNW9ehPivuoLUT9Ws7Y+AQAAAJx3Rj7/SY4/onRSvkdUmr7X1uS+hB/1PrpkMb8BAAAA"
    "wQdtv9iEFT89IRU/q0Gxvh5YNz4Dlmo/K4i7vQEAAAAc/Fu+JWZIv1Knaj76MZO+MBAbvwDCML91BIs+"
    "AQAAAPebH8AErDA/n5T7Ps2FbD96PCM8a+m4Ph/mAD4BAAAAEsbRv9FNez08z3a/4huxPWitc7/2SpK+"
    "iGWOPQAAAAA92UE/zC8CwFAcar/4ZR2/q4C/vsafJL/XDIa+AQAAAAmnNT/zBJQ/wxwKwFXOLT/YqqW+"
    "r8n6ve7HJT8BAAAAFP/+vkDypz6X9Ru/6uNjPlLKFT+rtzi/CG2XPgEAAAA="
)


def _golden() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    positions = random.normal(size=(24, 3)).astype("f4")
    quats = random.normal(size=(24, 4))
    quats = (quats / np.linalg.norm(quats, axis=1, keepdims=True)).astype("f4")
    return positions, quats, random.random(24) < 0.8


def test_a_record_of_another_writer_is_read() -> None:
    positions, quats, valid = _golden()
    body = read_record(RECORD)
    assert body is not None
    np.testing.assert_array_equal(body.positions, positions)
    np.testing.assert_array_equal(body.quats_xyzw, quats)
    np.testing.assert_array_equal(body.valid, valid)


def test_what_is_written_is_read_and_as_large_as_mvn_says() -> None:
    positions, quats, valid = _golden()
    data = write_full_body(Body24(positions=positions, quats_xyzw=quats, valid=valid))
    assert len(data) == FULL_BODY_SIZE == 784
    body = read_full_body(data)
    np.testing.assert_array_equal(body.positions, positions)
    np.testing.assert_array_equal(body.valid, valid)


@pytest.mark.parametrize("at", range(0, 60, 4))
def test_offsets_that_lead_astray_are_refused_or_harmless(at: int) -> None:
    for value in (0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, len(RECORD) - 2):
        data = RECORD[:at] + struct.pack("<I", value) + RECORD[at + 4 :]
        try:
            body = read_record(data)
        except BadFrame:
            continue
        assert body is None or body.positions.shape == (24, 3)
    for end in range(0, len(RECORD), 37):
        with pytest.raises(BadFrame):
            read_record(RECORD[:end])


def test_in_t_pose_all_frames_are_the_identity_and_left_is_left() -> None:
    rotations = np.tile(np.eye(3), (24, 1, 1))  # Khronos: x right, y up, z back
    positions = np.zeros((24, 3))
    positions[JOINTS.index("left_elbow")] = (-0.5, 1.4, 0.0)
    positions[JOINTS.index("left_foot")] = (-0.1, 0.0, -0.2)
    R, p = from_openxr(rotations, positions)
    np.testing.assert_allclose(R, np.tile(np.eye(3), (23, 1, 1)), atol=1e-15)
    np.testing.assert_allclose(p[SEGMENTS.index("LeftForeArm")], (0.0, 0.5, 1.4))
    np.testing.assert_allclose(p[SEGMENTS.index("LeftToe")], (0.2, 0.1, 0.0))


def test_a_nod_and_a_turn_to_the_left_stay_what_they_are() -> None:
    half = 0.3
    nod = (-np.sin(half / 2), 0.0, 0.0, np.cos(half / 2))  # about x right: eyes down
    turn = (0.0, np.sin(half / 2), 0.0, np.cos(half / 2))  # about y up: to the left
    for quat, wanted in ((nod, (np.cos(half), 0, -np.sin(half))), (turn, None)):
        x, y, z, w = quat
        R = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        ours, _ = from_openxr(np.tile(R, (24, 1, 1)), np.zeros((24, 3)))
        ahead = ours[SEGMENTS.index("Head")][:, 0]
        wanted = wanted or (np.cos(half), np.sin(half), 0.0)
        assert angle_between(ahead, np.array(wanted)) < 1e-7


def test_every_segment_but_one_has_its_joint_and_the_tree_is_a_tree() -> None:
    assert set(SEGMENTS) - set(SEGMENT_JOINT) == {"L3"}
    assert len(JOINTS) == len(set(JOINTS)) == len(JOINT_PARENTS) == 24
    assert all(parent < k for k, parent in enumerate(JOINT_PARENTS))
    random = np.random.default_rng(0)
    R = np.linalg.qr(random.normal(size=(23, 3, 3)))[0]
    p = random.normal(size=(23, 3))
    again_R, again_p = from_openxr(*to_openxr(R, p))
    kept = [k for k, name in enumerate(SEGMENTS) if name != "L3"]
    np.testing.assert_allclose(again_R[kept], R[kept], atol=1e-12)
    np.testing.assert_allclose(again_p[kept], p[kept], atol=1e-12)


def _record(body: Body24 | None) -> bytes:
    """Wrap a FullBodyPose into a FullBodyPoseRecord, with no timestamp."""
    if body is None:
        vtable = struct.pack("<HH", 4, 4)
        return struct.pack("<I", 8) + vtable + struct.pack("<i", 4)
    inner = write_full_body(body)
    root = struct.unpack("<I", inner[:4])[0]
    vtable = struct.pack("<HHH", 6, 8, 4) + b"\0\0"
    table = struct.pack("<i", 8)
    head = struct.pack("<I", 12) + vtable + table
    return head + struct.pack("<I", 4 + root) + inner


def _save(path: Path, records: list[tuple[float, bytes]]) -> Path:
    with path.open("wb") as stream:
        writer = Writer(stream)
        writer.start()
        schema = writer.register_schema(
            "core.FullBodyPoseRecord", "flatbuffer", b"BFBS"
        )
        other = writer.register_schema("core.HeadPoseRecord", "flatbuffer", b"BFBS")
        channel = writer.register_channel("full_body/full_body", "flatbuffer", schema)
        head = writer.register_channel("head/head", "flatbuffer", other)
        for time, data in records:
            ns = 10**15 + round(1e9 * time)
            writer.add_message(head, ns, b"something else", ns)
            writer.add_message(channel, ns, data, ns)
        writer.finish()
    return path


def test_a_recording_gives_the_rotations_of_the_clip(
    performance: HumanClip, tmp_path: Path
) -> None:
    poses = list(SimulatedOperator(performance, loop=False).poses())
    records = [(pose.time, _record(body24(pose, hands=False))) for pose in poses]
    records.insert(3, (poses[3].time - 1e-3, _record(None)))
    path = _save(tmp_path / "take.mcap", records)
    assert holds_full_bodies(path)
    clip = read_clip(path)
    assert len(clip) == len(performance)
    kept = [k for k, name in enumerate(SEGMENTS) if name not in ("L3",)]
    # Both clips face x at their begin; feet are levelled by the reader.
    error = np.linalg.norm(
        quat_wxyz_from_rotation(clip.rotations[:, kept])
        - quat_wxyz_from_rotation(performance.rotations[:, kept]),
        axis=-1,
    )
    assert np.degrees(2.0 * np.median(error)) < 0.5
    assert any("1 frames left out" in note for note in clip.notes)


def test_recordings_without_anybody_or_damaged_are_refused(
    performance: HumanClip, tmp_path: Path
) -> None:
    empty = _save(tmp_path / "empty.mcap", [(k / 60, _record(None)) for k in range(9)])
    with pytest.raises(BadRecording, match="nobody"):
        read_clip(empty)
    broken = _save(tmp_path / "broken.mcap", [(0.0, b"\x04\0\0\0"), (1.0, b"")])
    with pytest.raises(BadRecording):
        read_clip(broken)
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(empty.read_bytes()[:300])
    assert not holds_full_bodies(cut)
    with pytest.raises(BadRecording):
        read_clip(cut)
