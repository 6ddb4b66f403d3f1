"""A damaged number never passes as data without a word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mcap.stream_reader import StreamReader
from telexist.retarget.errors import BadRecording
from telexist.teleop.recording.session_reader import SessionReader

CHANNELS = ("reference", "robot", "command", "targets")


def _read(path: Path) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
    reader = SessionReader(path)
    found = {
        f"{channel}.{name}": values
        for channel in CHANNELS
        for name, values in reader.arrays(channel).items()
    }
    head = reader.header
    found["header"] = np.array([head.robot, *head.joints, *head.units])
    found["times"] = np.array([head.started, head.stamp])
    return found, reader.problems


def _same(one: np.ndarray, two: np.ndarray) -> bool:
    return one.dtype == two.dtype and np.array_equal(
        one, two, equal_nan=one.dtype.kind == "f"
    )


def test_whatever_bytes_change_it_is_told_or_no_number_differs(
    session: Path, tmp_path: Path
) -> None:
    data, (whole, none) = session.read_bytes(), _read(session)
    assert none == ()
    rng, path, told = np.random.default_rng(8), tmp_path / "damaged.mcap", 0
    for _ in range(60):
        damaged = bytearray(data)
        for _ in range(int(rng.integers(1, 4))):
            # half of them where no chunk is: the header, the channels
            most = 3000 if rng.random() < 0.5 else len(data)
            damaged[int(rng.integers(8, most))] = int(rng.integers(256))
        path.write_bytes(damaged)
        try:
            found, problems = _read(path)
        except BadRecording:
            told += 1
            continue
        if problems:
            told += 1
            continue
        assert whole.keys() == found.keys()
        assert all(_same(whole[name], found[name]) for name in whole)
    assert told > 40


def test_other_programs_agree_with_the_checksums(session: Path) -> None:
    with session.open("rb") as file:
        assert sum(1 for _ in StreamReader(file, validate_crcs=True).records) > 100


def test_a_header_with_another_joint_is_refused(session: Path, tmp_path: Path) -> None:
    path, name = tmp_path / "renamed.mcap", SessionReader(session).header.joints[0]
    data = session.read_bytes().replace(name.encode(), name[::-1].encode(), 1)
    path.write_bytes(data)
    with pytest.raises(BadRecording, match="checksum"):
        SessionReader(path)
