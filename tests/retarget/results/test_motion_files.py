"""Motions on disk: what is written comes back, and nothing half-written stays."""

from __future__ import annotations

import csv
import errno
import io
import resource
import zipfile
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from telexist.retarget.errors import (
    BadInput,
    BadRecording,
    CannotWrite,
    UnknownName,
)
from telexist.retarget.files.atomic import write_bytes
from telexist.retarget.results.base_quaternions import base_quat_wxyz
from telexist.retarget.results.formats import FORMATS, save_motion
from telexist.retarget.results.load import load_motion
from telexist.retarget.results.npz_file import encode_npz
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import exp_so3, rotation_from_quat_wxyz

KEYS = {
    "time": "(t,)",
    "joint_names": "(n,)",
    "joint_positions": "(t, n)",
    "joint_velocities": "(t, n)",
    "base_position": "(t, 3)",
    "base_quat_wxyz": "(t, 4)",
    "contact_left": "(t,)",
    "contact_right": "(t,)",
    "robot": "()",
    "source": "()",
    "format_version": "()",
}


def tumbling(t: int = 50, n: int = 7, seed: int = 0) -> RobotMotion:
    """Return a motion whose base tumbles through every half turn."""
    rng = np.random.default_rng(seed)
    time = np.arange(t) / 30.0
    return RobotMotion(
        robot="tumbler",
        source="clips/über walk.bvh",
        time=time,
        joint_names=tuple(f"joint_{k}" for k in range(n)),
        joint_positions=rng.normal(size=(t, n)),
        joint_velocities=rng.normal(size=(t, n)),
        base_position=rng.normal(size=(t, 3)),
        base_rotation=exp_so3(time[:, None] * np.array([4.0, 7.0, -5.0])),
        contact_left=rng.random(t) < 0.5,
        contact_right=rng.random(t) < 0.5,
    )


def test_an_archive_has_exactly_the_promised_keys(tmp_path: Path) -> None:
    motion = tumbling()
    (path,) = save_motion(tmp_path, "walk.tumbler", motion)
    assert path == tmp_path / "walk.tumbler.npz"
    with np.load(path, allow_pickle=False) as archive:
        assert set(archive.files) == set(KEYS)
        sizes = {"t": 50, "n": 7}
        for key, shape in KEYS.items():
            assert archive[key].shape == eval(shape, {}, sizes), key


def test_a_motion_comes_back_bit_for_bit(tmp_path: Path) -> None:
    motion = tumbling()
    (path,) = save_motion(tmp_path, "a.b", motion)
    back = load_motion(path)
    assert (back.robot, back.source) == (motion.robot, motion.source)
    assert back.joint_names == motion.joint_names
    for name in (
        "time",
        "joint_positions",
        "joint_velocities",
        "base_position",
        "contact_left",
        "contact_right",
    ):
        np.testing.assert_array_equal(getattr(back, name), getattr(motion, name))
    np.testing.assert_allclose(back.base_rotation, motion.base_rotation, atol=1e-14)


def test_equal_motions_give_equal_bytes() -> None:
    for motion_format in FORMATS.values():
        assert motion_format.encode(tumbling()) == motion_format.encode(tumbling())


def test_quaternions_do_not_jump_and_are_the_same_rotations() -> None:
    motion = tumbling(t=400)
    quat_wxyz = base_quat_wxyz(motion)
    assert np.sum(quat_wxyz[1:] * quat_wxyz[:-1], axis=1).min() > 0.9
    np.testing.assert_allclose(
        rotation_from_quat_wxyz(quat_wxyz), motion.base_rotation, atol=1e-13
    )


def test_a_table_reads_back_exactly(tmp_path: Path) -> None:
    motion = tumbling()
    (path,) = save_motion(tmp_path, "a.b", motion, ("csv",))
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert len(rows) == len(motion.time)
    for k, name in enumerate(motion.joint_names):
        column = np.array([float(row[name]) for row in rows])
        np.testing.assert_array_equal(column, motion.joint_positions[:, k])
    np.testing.assert_array_equal([float(r["time"]) for r in rows], motion.time)
    np.testing.assert_array_equal(
        [bool(int(r["contact_left"])) for r in rows], motion.contact_left
    )


def test_keyframes_hold_base_then_joints(tmp_path: Path) -> None:
    motion = tumbling(t=3)
    (path,) = save_motion(tmp_path, "a.b", motion, ("mujoco",))
    keys = ElementTree.parse(path).getroot().findall("keyframe/key")
    assert len(keys) == 3
    for k, key in enumerate(keys):
        qpos = np.array([float(value) for value in key.attrib["qpos"].split()])
        assert float(key.attrib["time"]) == motion.time[k]
        np.testing.assert_array_equal(qpos[:3], motion.base_position[k])
        np.testing.assert_array_equal(qpos[7:], motion.joint_positions[k])


def test_mujoco_reads_keyframes_of_a_free_and_of_a_bolted_base(tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    free = tumbling(t=4, n=2)
    bolted = replace(
        free,
        base_position=np.zeros((4, 3)),
        base_rotation=np.tile(np.eye(3), (4, 1, 1)),
    )
    for motion, joint in ((free, "<freejoint/>"), (bolted, "")):
        (path,) = save_motion(tmp_path, "a.b", motion, ("mujoco",))
        shape = '<geom size="0.1" mass="1"/>'
        model = mujoco.MjModel.from_xml_string(
            f'<mujoco><worldbody><body name="base">{joint}{shape}'
            f'<body name="b0" pos="0 0 1"><joint name="joint_0"/>{shape}'
            f'<body name="b1" pos="0 0 1"><joint name="joint_1"/>{shape}'
            "</body></body></body></worldbody>"
            f"{path.read_text().replace('<mujoco>', '').replace('</mujoco>', '')}"
            "</mujoco>"
        )
        data = mujoco.MjData(model)
        for k in range(4):
            mujoco.mj_resetDataKeyframe(model, data, k)
            mujoco.mj_kinematics(model, data)
            assert data.time == motion.time[k]
            np.testing.assert_allclose(
                data.body("base").xpos, motion.base_position[k], atol=1e-12
            )
            np.testing.assert_allclose(
                data.body("base").xmat.reshape(3, 3),
                motion.base_rotation[k],
                atol=1e-12,
            )
            for i, name in enumerate(motion.joint_names):
                assert data.joint(name).qpos[0] == motion.joint_positions[k, i]


def test_an_unknown_format_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'csv'"):
        save_motion(tmp_path, "a.b", tumbling(), ("npz", "csw"))
    assert not list(tmp_path.iterdir())


def test_a_refusing_disk_leaves_the_old_file_and_no_parts(tmp_path: Path) -> None:
    path = tmp_path / "a.b.npz"
    write_bytes(path, b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(CannotWrite, match=r"a\.b\.npz: cannot be written: File"):
            save_motion(tmp_path, "a.b", tumbling())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.b.npz"]


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("telexist.retarget.files.atomic.os.replace", full)
    with pytest.raises(CannotWrite, match="No space left on device") as caught:
        write_bytes(tmp_path / "x.npz", b"data")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_an_interrupted_write_leaves_no_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("telexist.retarget.files.atomic.os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_bytes(tmp_path / "x.npz", b"data")
    assert not list(tmp_path.iterdir())


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("I am no folder")
    with pytest.raises(CannotWrite, match="out"):
        save_motion(tmp_path / "out", "a.b", tumbling())


def test_a_truncated_archive_is_refused_at_every_length(tmp_path: Path) -> None:
    data = encode_npz(tumbling(t=5))
    path = tmp_path / "cut.npz"
    for length in range(0, len(data), 97):
        path.write_bytes(data[:length])
        with pytest.raises(BadInput, match=r"cut\.npz"):
            load_motion(path)


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_damaged_archive_is_refused_or_read(
    tmp_path: Path, data: st.DataObject
) -> None:
    raw = bytearray(encode_npz(tumbling(t=3, n=2)))
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "damaged.npz"
    path.write_bytes(bytes(raw))
    try:
        motion = load_motion(path)
    except BadInput as error:
        assert "\n" not in str(error)
    else:
        assert np.isfinite(motion.joint_positions).all()


def _archive(path: Path, **changes: object) -> Path:
    with np.load(io.BytesIO(encode_npz(tumbling()))) as archive:
        arrays = {key: archive[key] for key in archive.files}
    arrays.update({key: np.asarray(value) for key, value in changes.items()})
    np.savez(path, **{k: v for k, v in arrays.items() if v.dtype != object})
    return path


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"joint_positions": np.full((50, 7), np.nan)}, "joint_positions: not finite"),
        ({"base_position": np.zeros((49, 3))}, "base_position: has shape"),
        ({"time": np.zeros(50)}, "time: does not increase"),
        ({"format_version": 99}, "format_version: is 99"),
        ({"base_quat_wxyz": np.ones((50, 4))}, "base_quat_wxyz: not of unit"),
        ({"contact_left": np.ones(50)}, "contact_left: holds float64"),
        ({"robot": None}, "robot: missing"),
    ],
)
def test_a_wrong_array_is_named(
    tmp_path: Path, changes: dict[str, object], place: str
) -> None:
    with pytest.raises(BadInput, match=place):
        load_motion(_archive(tmp_path / "wrong.npz", **changes))


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.npz"
    np.savez(foreign, poses=np.zeros((4, 72)))
    text = tmp_path / "text.npz"
    text.write_text("HIERARCHY")
    pickled = tmp_path / "pickled.npz"
    np.savez(pickled, time=np.array([{"a": 1}], dtype=object))
    other = tmp_path / "other.npz"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("time.npy", "not an array")
    for path in (foreign, text, pickled, other, tmp_path / "absent.npz", tmp_path):
        with pytest.raises(BadInput, match=path.name):
            load_motion(path)


def test_finger_joints_come_back_and_are_columns(tmp_path: Path) -> None:
    motion = tumbling()
    names, positions = ("l_thumb", "r_jaw"), np.random.default_rng(3).random((50, 2))
    motion = replace(motion, finger_names=names, finger_positions=positions)
    save_motion(tmp_path, "hands", motion, ("npz", "csv", "mujoco"))
    back = load_motion(tmp_path / "hands.npz")
    assert back.finger_names == names
    assert np.array_equal(back.fingers, positions)
    with (tmp_path / "hands.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["r_jaw"]) for row in rows] == positions[:, 1].tolist()
    keys = ElementTree.parse(tmp_path / "hands.xml").getroot().findall("keyframe/key")
    last = [float(word) for word in keys[7].attrib["qpos"].split()][-2:]
    assert last == positions[7].tolist()


def test_finger_joints_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    motion = replace(
        tumbling(), finger_names=("one", "two"), finger_positions=np.zeros((50, 1))
    )
    (tmp_path / "bad.npz").write_bytes(encode_npz(motion))
    with pytest.raises(BadRecording, match="finger_positions"):
        load_motion(tmp_path / "bad.npz")
