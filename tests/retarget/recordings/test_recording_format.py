"""The one table of formats and the function that reads them all."""

from __future__ import annotations

import importlib

import pytest
from telexist.retarget.errors import BadRecording, UnknownName
from telexist.retarget.recordings.format import FORMATS, read_clip


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_row_of_the_table_is_a_function(suffix):
    module, _, name = FORMATS[suffix].partition(":")
    assert callable(getattr(importlib.import_module(module), name))


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_empty_file_of_any_format_is_refused(tmp_path, suffix):
    path = tmp_path / f"empty{suffix}"
    path.touch()
    with pytest.raises(BadRecording, match="empty"):
        read_clip(path)


def test_an_unknown_suffix_lists_the_known_ones(tmp_path):
    with pytest.raises(UnknownName, match=r"known: \.amc, \.bvh, \.c3d, .*\.trc"):
        read_clip(tmp_path / "dance.mp4")


def test_the_case_of_the_suffix_does_not_matter(write_bvh, dialect, tmp_path):
    clip = read_clip("builtin")
    path = write_bvh(clip, dialect())
    loud = path.rename(path.with_suffix(".BVH"))
    assert len(read_clip(loud)) == len(clip)


def test_absent_files_and_folders_are_refused(tmp_path):
    with pytest.raises(BadRecording, match="no such file"):
        read_clip(tmp_path / "absent.bvh")
    folder = tmp_path / "folder.bvh"
    folder.mkdir()
    with pytest.raises(BadRecording, match="folder"):
        read_clip(folder)


def test_the_built_in_motion_needs_no_file():
    assert len(read_clip("builtin")) > 100


def test_what_a_reader_did_not_foresee_is_damage(tmp_path, monkeypatch):
    path = tmp_path / "strange.bvh"
    path.write_text("HIERARCHY")

    def reader(*_):
        return {}["hips"]

    monkeypatch.setattr("telexist.retarget.recordings.bvh.read_bvh.read_bvh", reader)
    with pytest.raises(BadRecording, match="damaged: KeyError"):
        read_clip(path)
