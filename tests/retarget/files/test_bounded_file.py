"""What is asked for beyond the end of a file takes no memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from telexist.retarget.files import BoundedFile


def test_stated_lengths_take_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_bytes(b"0123456789")
    tracemalloc.start()
    with BoundedFile(path) as file:
        assert file.read(4) == b"0123"
        assert file.read(2_000_000_000) == b"456789"
        assert file.read(2_000_000_000) == b""
        file.seek(-3, 2)
        assert file.read() == b"789"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_an_absent_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        BoundedFile(tmp_path / "absent")
