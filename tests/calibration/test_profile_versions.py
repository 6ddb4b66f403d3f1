"""A new profile never takes the place of an older one for good."""

from __future__ import annotations

from pathlib import Path

import pytest
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.profile_file import load_profile, save_profile
from telexist.calibration.profile_versions import replace_profile
from telexist.retarget.errors import CannotWrite
from telexist.retarget.human.adult_size import adult_size


def _profile(height: float) -> OperatorProfile:
    return OperatorProfile.identity(adult_size(height), "anna")


def test_older_profiles_are_kept_under_numbers(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "anna.toml"
    assert replace_profile(_profile(1.5), path) is None
    save_profile(_profile(1.9), path.with_name("anna-2.toml"))  # somebody else's
    first = replace_profile(_profile(1.6), path)
    second = replace_profile(_profile(1.7), path)
    assert first is not None and first.name == "anna-1.toml"
    assert second is not None and second.name == "anna-3.toml"
    found = {p.name: load_profile(p).size.height for p in path.parent.iterdir()}
    heights = {"anna": 1.7, "anna-1": 1.5, "anna-2": 1.9, "anna-3": 1.6}
    assert found == pytest.approx({f"{k}.toml": h for k, h in heights.items()})


def test_a_folder_that_cannot_be_written_keeps_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match="anna.toml"):
        replace_profile(_profile(1.5), tmp_path / "file" / "anna.toml")
