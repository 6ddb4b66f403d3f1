"""Every registered recording format, given what is no recording."""

from __future__ import annotations

from pathlib import Path

import pytest
from telexist.retarget.errors import BadRecording, UnknownName
from telexist.retarget.recordings.format import FORMATS, read_clip

HOSTILE = {
    "empty": b"",
    "zeros": bytes(4096),
    "text": b"this is no recording\n" * 50,
    "noise": bytes(range(256)) * 16,
    "other": b"PK\x03\x04" + bytes(60),
}


@pytest.mark.parametrize("suffix", sorted(FORMATS))
@pytest.mark.parametrize("content", HOSTILE)
def test_what_is_no_recording_is_one_line_that_names_the_file(
    tmp_path: Path, suffix: str, content: str
) -> None:
    path = tmp_path / f"strange{suffix}"
    path.write_bytes(HOSTILE[content])
    with pytest.raises(BadRecording) as caught:
        read_clip(path)
    text = str(caught.value)
    assert "strange" in text and "\n" not in text


@pytest.mark.parametrize("suffix", sorted(FORMATS))
def test_an_absent_file_and_a_folder_are_told(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(BadRecording, match="no such file"):
        read_clip(tmp_path / f"absent{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(BadRecording, match="is a folder"):
        read_clip(tmp_path / f"folder{suffix}")


@pytest.mark.parametrize("suffix", sorted(FORMATS))
def test_suffixes_are_lower_case_and_found_in_any_case(suffix: str) -> None:
    assert suffix == suffix.lower() and suffix.startswith(".")
    with pytest.raises(BadRecording, match="no such file"):
        read_clip(f"absent{suffix.upper()}")


def test_an_unknown_suffix_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="bvh"):
        read_clip("a.bvx")
