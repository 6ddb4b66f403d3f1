"""Saved clips read back bit for bit; archives from strangers are not trusted."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from telexist.retarget.errors import BadRecording, CannotWrite, TelexistError
from telexist.retarget.files.archive import read_arrays
from telexist.retarget.human_size import TIPS
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.npz.clip_file import (
    CLIP_KEYS,
    read_saved_clip,
    save_clip,
)
from telexist.retarget.recordings.npz.read_npz import read_npz
from telexist.retarget.recordings.options import ReadOptions
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip

MOTION = (
    "time",
    "rotations",
    "angular_velocities",
    "positions",
    "linear_velocities",
)


@pytest.fixture(scope="module")
def clip() -> HumanClip:
    return builtin_clip(5.0)


@pytest.fixture(scope="module")
def content(clip: HumanClip, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("clips") / "a.npz"
    save_clip(path, clip)
    return path.read_bytes()


def arrays_of(content: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        return dict(archive)


@pytest.mark.parametrize("suffix", [".npz", ".NPZ"])
def test_a_saved_clip_reads_back_bit_for_bit(
    clip: HumanClip, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"clip{suffix}"
    save_clip(path, clip)
    for back in (read_saved_clip(path), read_clip(path), read_npz(path, ReadOptions())):
        for name in MOTION:
            assert getattr(back, name).tobytes() == getattr(clip, name).tobytes()
        for name in SEGMENTS:
            assert np.array_equal(back.size.joints[name], clip.size.joints[name])
        for name in TIPS:
            assert np.array_equal(back.size.tips[name], clip.size.tips[name])
        assert (back.name, back.source, back.notes) == (
            clip.name,
            clip.source,
            clip.notes,
        )


def test_a_clip_without_notes_reads_back(clip: HumanClip, tmp_path: Path) -> None:
    parts = {name: getattr(clip, name) for name in MOTION}
    bare = HumanClip(name="é", source="ü", size=clip.size, **parts)
    save_clip(tmp_path / "a.npz", bare)
    back = read_saved_clip(tmp_path / "a.npz")
    assert back.notes == () and back.name == "é"


def test_a_saved_clip_takes_no_options(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    with pytest.raises(BadRecording, match="leave out start"):
        read_npz(path, ReadOptions(start=1.0))


def test_a_folder_cannot_be_overwritten(clip: HumanClip, tmp_path: Path) -> None:
    with pytest.raises(CannotWrite):
        save_clip(tmp_path, clip)


@pytest.mark.parametrize("key", CLIP_KEYS)
def test_a_missing_key_is_named(content: bytes, tmp_path: Path, key: str) -> None:
    arrays = arrays_of(content)
    del arrays[key]
    path = tmp_path / "a.npz"
    np.savez(path, **arrays)  # type: ignore[arg-type]
    with pytest.raises(BadRecording, match=key):
        read_npz(path, ReadOptions())


@pytest.mark.parametrize(
    ("key", "value", "match"),
    [
        ("format_version", np.array(2), "this program reads 1"),
        ("format_version", np.array([1, 1]), "this program reads 1"),
        ("segments", np.array(["Pelvis"]), "23"),
        ("tips", np.array(["a"]), "expected"),
        ("time", np.zeros((3, 3)), "time"),
        ("rotations", np.zeros((2, 23, 3, 3)), "rotations"),
        ("rotations", np.zeros((177, 23, 3, 3)), "not a rotation"),
        ("rotations", np.full((177, 23, 3, 3), np.nan), "not finite"),
        ("positions", np.full((177, 23, 3), np.nan), "not finite"),
        ("time", np.zeros(177), "increase"),
        ("positions", np.zeros((177, 23, 3), dtype=np.float32), "float64"),
        ("size_joints", np.full((23, 3), np.inf), "3 numbers"),
        ("notes", np.array("one"), "list of lines"),
    ],
)
def test_wrong_values_are_named(
    content: bytes, tmp_path: Path, key: str, value: np.ndarray, match: str
) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, **{**arrays_of(content), key: value})  # type: ignore[arg-type]
    with pytest.raises(BadRecording, match=match) as caught:
        read_npz(path, ReadOptions())
    assert "\n" not in str(caught.value) and "a.npz" in str(caught.value)


def header(shape: str, kind: str = "'<f8'") -> bytes:
    text = f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * ((64 - (len(text) + 11) % 64) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


@pytest.mark.parametrize(
    ("body", "match"),
    [
        (header("(1000000000000, 156)"), "size"),
        (header("(-1,)"), "size|damaged"),
        (header("(2, 66)") + b"\0" * 8, "size"),
        (header("(2,)", "'|O'") + pickle.dumps([1, 2]), "plain"),
        (header("(2,)", "[('a', '<f8')]"), "plain"),
        (b"\x93NUMPY\x09\x00", "damaged|plain"),
        (b"not an array at all", "damaged"),
        (b"", "damaged"),
    ],
)
def test_arrays_that_lie_are_refused_before_memory_is_taken(
    tmp_path: Path, body: bytes, match: str
) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("poses.npy", body)
    with pytest.raises(BadRecording, match=match):
        read_npz(path, ReadOptions())


def test_a_zip_bomb_is_refused_by_its_declared_size(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("poses.npy", header("(1,)") + b"\0" * 10_000_000)
    data = bytearray(path.read_bytes())
    size = struct.pack("<I", len(header("(1,)")) + 10_000_000)
    assert data.count(size) == 2
    path.write_bytes(data.replace(size, struct.pack("<I", 0xF0000000)))
    with pytest.raises(BadRecording, match="too large"):
        read_npz(path, ReadOptions())


def test_other_archives_and_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    for data in (b"", b"PK\x03\x04", content[: len(content) // 2], content[100:]):
        path.write_bytes(data)
        with pytest.raises(BadRecording):
            read_npz(path, ReadOptions())
    np.savez(path, other=np.zeros(3))
    with pytest.raises(BadRecording, match="neither"):
        read_npz(path, ReadOptions())
    with pytest.raises(BadRecording):
        read_npz(tmp_path / "nowhere.npz", ReadOptions())


def test_only_wanted_arrays_are_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    labels = np.array([{"a": 1}], dtype=object)
    np.savez(path, labels=labels, trans=np.arange(3.0))
    assert list(read_arrays(path, {"trans", "poses"})) == ["trans"]
    with pytest.raises(BadRecording, match="plain"):
        read_arrays(path, {"labels"})


@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    derandomize=True,
)
@given(data=st.data())
def test_mutated_archives_only_raise_our_errors(
    content: bytes, tmp_path: Path, data: st.DataObject
) -> None:
    mutated = bytearray(content)
    for _ in range(data.draw(st.integers(1, 6))):
        near_end = data.draw(st.booleans())
        low = len(mutated) - 1500 if near_end else 0
        at = data.draw(st.integers(low, len(mutated) - 1))
        mutated[at : at + data.draw(st.integers(0, 40))] = data.draw(
            st.binary(max_size=8)
        )
    path = tmp_path / "mutated.npz"
    path.write_bytes(mutated)
    try:
        read_npz(path, ReadOptions())
    except TelexistError as error:
        assert "\n" not in str(error)
