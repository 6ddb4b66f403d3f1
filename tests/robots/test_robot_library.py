"""Reading robot.toml files: names, inheritance and mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest
from telexist.retarget.errors import BadConfig, UnknownName
from telexist.robots.description.library import DEFAULT_ROBOT, list_robots, load_spec

SMALL = """
name = "small"
[model]
path = "small.urdf"
[base]
link = "trunk"
[links]
Pelvis = "trunk"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "robot.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_default_robot_is_shipped() -> None:
    assert DEFAULT_ROBOT in list_robots()


@pytest.mark.parametrize("name", list_robots())
def test_advice_can_be_pasted_into_any_shell(name: str) -> None:
    """Without quotes, zsh takes [robots] for a pattern and refuses it."""
    unquoted = load_spec(name).model.get.split('"')[::2]
    assert "[" not in "".join(unquoted)


@pytest.mark.parametrize("name", list_robots())
def test_every_shipped_spec_reads_and_has_its_folder_s_name(name: str) -> None:
    spec = load_spec(name)
    assert spec.name == name
    assert spec.title
    assert spec.model.generated or spec.model.get
    assert spec.model.generated or spec.model.licence


def test_unknown_robot_suggests_a_near_name() -> None:
    with pytest.raises(UnknownName, match="did you mean 'icub'"):
        load_spec("icubb")


def test_folder_and_file_are_both_accepted(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL)
    assert load_spec(path) == load_spec(tmp_path) == load_spec(str(path))
    assert load_spec(path).model.path == str(tmp_path / "small.urdf")


def test_extending_robot_lists_only_differences(tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    written(tmp_path / "first", SMALL + '[hands]\nleft = "l"\nright = "r"\n')
    (tmp_path / "second").mkdir()
    text = 'name = "second"\nextends = "../first"\n[hands]\nleft = "other"\n'
    spec = load_spec(written(tmp_path / "second", text))
    assert spec.name == "second"
    assert dict(spec.hands) == {"left": "other", "right": "r"}
    assert spec.model.path == str(tmp_path / "second" / ".." / "first" / "small.urdf")


def test_robots_extending_each_other_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL + "")
    path.write_text('name = "x"\nextends = "robot.toml"\n', encoding="utf-8")
    with pytest.raises(BadConfig, match="circle"):
        load_spec(path)


def test_urdf_in_place_of_a_spec_points_to_drafting(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text("<robot/>", encoding="utf-8")
    with pytest.raises(BadConfig, match="telexist robots draft"):
        load_spec(path)


SOLE = '[soles.left]\nlink = "trunk"\nposition = [0.0, 0.0, 0.0]\n'
MISTAKES = {
    "unknown segment": (SMALL + 'Tail = "x"', "links.Tail"),
    "unknown key": ("legs = 2" + SMALL, "legs"),
    "unknown side": (SMALL + '[hands]\nupper = "x"', "hands.upper"),
    "flat sole": (SMALL + SOLE + "length = 0.0\nwidth = 0.1", "soles.left"),
    "forward is up": (
        SMALL.replace(
            'link = "trunk"\n', 'link = "trunk"\nforward = [0.0, 0.0, 1.0]\n'
        ),
        "base",
    ),
    "zero forward": (
        SMALL.replace(
            'link = "trunk"\n', 'link = "trunk"\nforward = [0.0, 0.0, 0.0]\n'
        ),
        "base",
    ),
    "uneven coupling": (
        SMALL + '[[couplings]]\njoints = ["a"]\ncoefficients = [1.0, 2.0]',
        "couplings[0]",
    ),
    "reversed coupling": (
        SMALL
        + '[[couplings]]\njoints = ["a"]\ncoefficients = [1.0]\n'
        + "lower = 1.0\nupper = 0.0",
        "couplings[0]",
    ),
    "negative weight": (SMALL + "[weights]\nHead = -1.0", "weights.Head"),
    "no model": (SMALL.replace('[model]\npath = "small.urdf"\n', ""), "model"),
    "not TOML": ("name = ", "not valid TOML"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistake_is_named_with_file_and_key(case: str, tmp_path: Path) -> None:
    text, place = MISTAKES[case]
    path = written(tmp_path, text)
    with pytest.raises(BadConfig) as caught:
        load_spec(path)
    assert str(path) in str(caught.value)
    assert place in str(caught.value)
