"""Profiles on disk: what is saved is read back, anything else is refused."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import numpy as np
import pytest
from telexist.calibration.operator_folder import operator_names, profile_path
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.profile_file import load_profile, profile_text, save_profile
from telexist.retarget.errors import BadConfig, BadInput
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.so3 import exp_so3

NAMES = ("Head", "LeftHand", "RightHand")


@pytest.fixture
def profile() -> OperatorProfile:
    rng = np.random.default_rng(1)
    neutral = exp_so3(rng.normal(size=(3, 3)))
    neutral[1] = exp_so3(np.array([np.pi, 0.0, 0.0]))
    return OperatorProfile(
        operator='an"na\n',
        source="openvr",
        pose="t",
        heading=-3.0,
        origin=np.array([1.0, 2.0, -0.1]),
        segments=NAMES,
        neutral=neutral,
        offsets=rng.normal(size=(3, 3)),
        size=adult_size(1.63),
        residuals={"Head": 0.5},
    )


def test_what_is_saved_is_read_back(profile: OperatorProfile, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "anna.toml"
    save_profile(profile, path)
    found = load_profile(path)
    for name in ("operator", "source", "pose", "heading", "segments"):
        assert getattr(found, name) == getattr(profile, name)
    for name in ("origin", "neutral", "offsets"):
        np.testing.assert_allclose(
            getattr(found, name), getattr(profile, name), atol=1e-12
        )
    assert found.size.height == profile.size.height
    assert dict(found.residuals) == dict(profile.residuals)


def test_a_profile_is_the_same_to_the_last_bit_after_any_number_of_files(
    profile: OperatorProfile, tmp_path: Path
) -> None:
    rng, path = np.random.default_rng(2), tmp_path / "anna.toml"
    for _ in range(20):
        turned = exp_so3(rng.normal(size=(3, 3)))
        used = dataclasses.replace(profile, neutral=turned)
        np.testing.assert_allclose(used.neutral, turned, atol=1e-12)
        text = profile_text(used)
        for _ in range(3):
            path.write_text(text, encoding="utf-8")
            found = load_profile(path)
            for name in ("origin", "neutral", "offsets"):
                np.testing.assert_array_equal(getattr(found, name), getattr(used, name))
            assert profile_text(found) == text


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("version = 1", "version = 2", "version"),
        ("version = 1", "version = true", "version"),
        ("version = 1\n", "", "version"),
        ("heading = -3.0", "heading = nan", "heading"),
        ("heading = -3.0", "heading = inf", "finite"),
        ("heading = -3.0", "heading = -3.0\nspirit = 1", "spirit"),
        ('pose = "t"', 'pose = "x"', "pose"),
        ("[segments.Head]", "[segments.Tail]", "Tail"),
        ("quat_wxyz = [", "quat_wxyz = [0.5, ", "quat_wxyz"),
        ("offset = [", "offset = [inf, ", "offset"),
        ("[size.joints]", "[size.bones]", "bones"),
        ("version", "ver sion", "TOML"),
    ],
)
def test_a_changed_file_is_refused_and_the_place_named(
    profile: OperatorProfile, tmp_path: Path, old: str, new: str, says: str
) -> None:
    path = tmp_path / "anna.toml"
    save_profile(profile, path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadConfig, match=says) as error:
        load_profile(path)
    assert str(path) in str(error.value)


def test_a_quaternion_that_is_no_rotation_is_refused(
    profile: OperatorProfile, tmp_path: Path
) -> None:
    path = tmp_path / "anna.toml"
    save_profile(profile, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    k = next(k for k, line in enumerate(lines) if line.startswith("quat_wxyz"))
    lines[k] = "quat_wxyz = [1.0, 0.1, 0.0, 0.0]"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(BadConfig, match="no rotation"):
        load_profile(path)


def test_large_absent_and_strange_files_are_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    large.write_text("# " + "x" * 300_000, encoding="utf-8")
    with pytest.raises(BadConfig, match="larger"):
        load_profile(large)
    with pytest.raises(BadConfig):
        load_profile(tmp_path / "absent.toml")
    with pytest.raises(BadConfig, match="not a file"):
        load_profile(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.toml")
        with pytest.raises(BadConfig, match="not a file"):
            load_profile(tmp_path / "pipe.toml")


@pytest.mark.parametrize(
    "name", ["", "..", "../anna", "a/b", "a b", "-x", "x" * 65, "a\n", "ä", "a.b"]
)
def test_names_that_could_leave_the_folder_are_refused(name: str) -> None:
    with pytest.raises(BadInput):
        profile_path(name)


def test_operators_are_kept_in_the_users_configuration(
    profile: OperatorProfile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert operator_names() == ()
    save_profile(profile, profile_path("anna"))
    assert operator_names() == ("anna",)
    assert profile_path("anna") == tmp_path / "telexist" / "operators" / "anna.toml"
    assert profile_path(str(profile_path("anna"))) == profile_path("anna")
    assert load_profile(profile_path("anna")).operator == profile.operator
