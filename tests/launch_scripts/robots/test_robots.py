from __future__ import annotations

from pathlib import Path

import pytest
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.human.urdf import human_urdf
from telexist.robots.description.library import list_robots


@pytest.fixture
def urdf(tmp_path: Path) -> Path:
    path = tmp_path / "person.urdf"
    path.write_text(human_urdf(adult_size(), model="human48"), encoding="utf-8")
    return path


def test_list_names_every_robot_and_says_how_to_get_the_absent(
    telexist, monkeypatch
) -> None:
    monkeypatch.delenv("TELEXIST_MODELS", raising=False)
    ran = telexist("robots", "list")
    assert ran.code == 0
    for name in list_robots():
        (line,) = [x for x in ran.out.splitlines() if x.startswith(f"{name} ")]
        assert "generated" in line or "/" in line or "not here: " in line
    assert "(default)" in ran.out


def test_check_draws_the_neutral_posture(telexist, tmp_path) -> None:
    picture = tmp_path / "neutral.png"
    ran = telexist("robots", "check", "human66", "--png", picture)
    assert ran.code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert str(picture) in ran.out


def test_check_draws_the_hands_and_names_their_fingers(
    telexist, robot_of, tmp_path
) -> None:
    robot_of("g1_hands")  # skips without it
    ran = telexist("robots", "check", "g1_hands", "--png", tmp_path / "g1.png")
    assert "left hand: thumb, index, middle with 7 drives" in ran.out
    assert (tmp_path / "g1.hands.png").read_bytes().startswith(b"\x89PNG")


def test_check_of_a_mistyped_name_suggests_the_nearest(telexist) -> None:
    ran = telexist("robots", "check", "humann66")
    assert ran.code == 2
    assert "did you mean 'human66'?" in ran.error


def test_check_of_a_wrong_file_says_where(telexist, tmp_path) -> None:
    path = tmp_path / "robot.toml"
    path.write_text('extends = "human66"\nnme = "x"\n', encoding="utf-8")
    ran = telexist("robots", "check", path)
    assert ran.code == 1
    assert "nme" in ran.out and "unknown key" in ran.out


def test_draft_writes_checks_and_names_the_next_step(telexist, urdf, tmp_path) -> None:
    out = tmp_path / "drafted"
    ran = telexist("robots", "draft", urdf, "--out", out, "--name", "person")
    assert ran.code == 0
    path = out / "robot.toml"
    assert 'name = "person"' in path.read_text(encoding="utf-8")
    assert f"telexist retarget builtin --robot {path}" in ran.out
    assert path.with_suffix(".png").exists()


@pytest.mark.slow
def test_drafted_robot_can_be_retargeted_to(telexist, urdf, clip, tmp_path) -> None:
    path = tmp_path / "robot.toml"
    assert telexist("robots", "draft", urdf, "--out", path).code == 0
    ran = telexist(
        "retarget", clip, "--robot", path, "--out", tmp_path / "out", "--jobs", 1
    )
    assert ran.code == 0
    assert (tmp_path / "out" / "raise.person.npz").exists()


def test_draft_does_not_replace_a_file(telexist, urdf, tmp_path) -> None:
    path = tmp_path / "robot.toml"
    path.write_text("# mine", encoding="utf-8")
    ran = telexist("robots", "draft", urdf, "--out", path)
    assert ran.code == 2
    assert "--overwrite" in ran.error
    assert path.read_text(encoding="utf-8") == "# mine"


BOMB = """<?xml version="1.0"?>
<!DOCTYPE robot [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>
<robot name="&c;"><link name="base"/></robot>
"""
LOOP = """<robot name="loop"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
<joint name="k" type="revolute"><parent link="b"/><child link="a"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
</robot>
"""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not a robot",
        "<robot",
        '<robot name="r"><link name="a"/></robot>',
        BOMB,
        LOOP,
    ],
    ids=["empty", "text", "truncated", "no humanoid", "entity bomb", "loop"],
)
def test_bad_models_get_one_line(telexist, tmp_path, text) -> None:
    path = tmp_path / "bad.urdf"
    path.write_text(text, encoding="utf-8")
    ran = telexist("robots", "draft", path, "--out", tmp_path / "out")
    assert ran.code == 1
    assert str(path) in ran.error
    assert "unexpected" not in ran.error
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_draft_of_nothing_is_a_usage_error(telexist, tmp_path) -> None:
    ran = telexist("robots", "draft", tmp_path / "none.urdf")
    assert ran.code == 2
    assert "no such file" in ran.error


def test_check_lists_the_numbers_of_the_controllers(telexist) -> None:
    ran = telexist("robots", "check", "g1", "--control")
    assert ran.code == 0
    (line,) = [x for x in ran.out.splitlines() if x.startswith("swing.press ")]
    assert line.split()[1:6] == ["0.15", "m/s", "0", "to", "2"]
