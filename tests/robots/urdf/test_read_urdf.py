"""URDFs from strangers: what is refused, what is tolerated, and never a crash."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadModel, TelexistError
from telexist.retarget.kinematics import Kinematics
from telexist.robots.urdf.clean_urdf import clean_urdf
from telexist.robots.urdf.read_urdf import MAX_BYTES, parse_urdf, read_urdf

LINKS = '<link name="a"/><link name="b"/>'
LIMIT = '<limit lower="-1" upper="1" velocity="2" effort="3"/>'


def joint(
    name: str = "j",
    kind: str = "revolute",
    parent: str = "a",
    child: str = "b",
    inside: str = LIMIT,
) -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{inside}</joint>'


def robot(inside: str) -> str:
    return f'<robot name="r">{inside}</robot>'


GOOD = robot(LINKS + joint())

BOMB = """<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>
<robot name="r"><link name="&lol2;"/></robot>"""

FILE_ENTITY = """<?xml version="1.0"?>
<!DOCTYPE r [<!ENTITY secret SYSTEM "file:///etc/hostname">]>
<robot name="r"><link name="&secret;"/></robot>"""

XACRO = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r">
<xacro:macro name="leg"/><link name="a"/></robot>"""

REFUSED = {
    "empty": ("", "is empty"),
    "blank": ("  \n ", "is empty"),
    "bomb": (BOMB, "entities"),
    "file entity": (FILE_ENTITY, "entities"),
    "text": ("a robot with two legs", "not XML"),
    "cut off": (GOOD[:60], "not valid XML"),
    "mjcf": ("<mujoco><worldbody/></mujoco>", "MJCF"),
    "sdf": ('<sdf version="1.7"><model name="r"/></sdf>', "SDF"),
    "html": ("<html><body/></html>", "<html>"),
    "xacro": (XACRO, "xacro"),
    "xacro without namespace": ('<robot><xacro:include a="b"/></robot>', "xacro"),
    "no links": (robot(""), "no links"),
    "nameless link": (robot("<link/>"), "without a name"),
    "nameless joint": (robot(LINKS + joint(name="")), "without a name"),
    "two roots": (robot(LINKS), "2 links have no parent"),
    "same link twice": (robot('<link name="a"/><link name="a"/>'), "have this name"),
    "same joint twice": (
        robot(LINKS + '<link name="c"/>' + joint() + joint(child="c")),
        "have this name",
    ),
    "missing child": (robot(LINKS + joint(child="nobody")), "no link 'nobody'"),
    "missing parent": (robot(LINKS + joint(parent="nobody")), "no link 'nobody'"),
    "no child element": (
        robot(LINKS + '<joint name="j" type="fixed"><parent link="a"/></joint>'),
        "child link is missing",
    ),
    "two parents": (
        robot(LINKS + '<link name="c"/>' + joint() + joint("k", parent="c")),
        "two parents",
    ),
    "loop of all": (robot(LINKS + joint() + joint("k", "fixed", "b", "a")), "loop"),
    "loop beside the root": (
        robot('<link name="root"/>' + LINKS + joint() + joint("k", "fixed", "b", "a")),
        "loop",
    ),
    "onto itself": (robot('<link name="a"/>' + joint(child="a")), "loop"),
    "unknown joint type": (robot(LINKS + joint(kind="ball")), "'ball' is unknown"),
    "nan origin": (
        robot(LINKS + joint(inside='<origin xyz="nan 0 0"/>')),
        "not a usable number",
    ),
    "infinite origin": (
        robot(LINKS + joint(inside='<origin xyz="0 1e999 0"/>')),
        "not a usable number",
    ),
    "word in origin": (
        robot(LINKS + joint(inside='<origin rpy="0 pi 0"/>')),
        "is not a number",
    ),
    "short origin": (robot(LINKS + joint(inside='<origin xyz="0 0"/>')), "2 numbers"),
    "zero axis": (robot(LINKS + joint(inside='<axis xyz="0 0 0"/>')), "axis is zero"),
    "nan limit": (
        robot(LINKS + joint(inside='<limit lower="nan" upper="1"/>')),
        "is nan",
    ),
    "limits reversed": (
        robot(LINKS + joint(inside='<limit lower="1" upper="-1"/>')),
        "above",
    ),
    "negative mass": (
        robot('<link name="a"><inertial><mass value="-1"/></inertial></link>'),
        "negative",
    ),
    "mimics nobody": (
        robot(LINKS + joint(inside='<mimic joint="x"/>')),
        "missing joint 'x'",
    ),
    "mimics itself": (
        robot(LINKS + joint(inside='<mimic joint="j"/>')),
        "mimics itself",
    ),
    "reserved name": (robot(LINKS + joint(name="universe")), "rename"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_malformed_urdf_is_refused_in_one_line(case: str) -> None:
    text, problem = REFUSED[case]
    with pytest.raises(BadModel) as caught:
        parse_urdf(text, path="robot.urdf")
    message = str(caught.value)
    assert problem in message
    assert message.startswith("robot.urdf: ")
    assert "\n" not in message


def test_binary_data_is_refused() -> None:
    for data in (b"\x00\x01\x02", b"\x89PNG\r\n\x1a\n\x00<robot>", bytes(range(256))):
        with pytest.raises(BadModel, match="not"):
            parse_urdf(data)


def test_missing_file_folder_and_huge_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadModel, match="No such file"):
        read_urdf(tmp_path / "none.urdf")
    with pytest.raises(BadModel, match="folder"):
        read_urdf(tmp_path)
    huge = tmp_path / "huge.urdf"
    with huge.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(BadModel, match="MB"):
        read_urdf(huge)


def test_error_names_the_joint() -> None:
    with pytest.raises(BadModel) as caught:
        parse_urdf(REFUSED["zero axis"][0], path="x.urdf")
    assert caught.value.place == "joint j"


def test_tree_is_read_as_written() -> None:
    inside = (
        '<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><axis xyz="0 0 2"/>' + LIMIT
    )
    urdf = parse_urdf(robot(LINKS + joint(inside=inside)))
    read = urdf.joints["j"]
    assert (urdf.name, urdf.root) == ("r", "a")
    np.testing.assert_allclose(read.pose.p, [1.0, 2.0, 3.0])
    np.testing.assert_allclose(read.pose.R @ [1, 0, 0], [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(read.axis, [0.0, 0.0, 1.0])
    assert (read.limits.lower, read.limits.upper) == (-1.0, 1.0)
    assert (read.limits.velocity, read.limits.effort) == (2.0, 3.0)
    assert [j.name for j in urdf.chain("b")] == ["j"]


@pytest.mark.parametrize("kind", ["planar", "floating"])
def test_planar_and_floating_joints_are_locked_with_a_note(kind: str) -> None:
    urdf = parse_urdf(robot(LINKS + joint(kind=kind)))
    assert "locked at zero" in urdf.notes[0]
    assert Kinematics(clean_urdf(urdf)).joints == ()


def test_absent_limits_masses_and_meshes_are_tolerated() -> None:
    shape = '<geometry><mesh filename="package://gone/a.stl"/></geometry>'
    link = f'<link name="a"><visual>{shape}</visual><collision/></link>'
    urdf = parse_urdf(robot(link + '<link name="b"/>' + joint(inside="")))
    assert urdf.joints["j"].limits.lower is None
    assert urdf.links["a"].mass == 0.0
    assert urdf.links["a"].visuals[0].mesh == "package://gone/a.stl"
    assert urdf.notes == ()


def test_limits_of_zeros_mean_that_nothing_was_stated() -> None:
    zeros = '<limit lower="0" upper="0" velocity="0" effort="0"/>'
    limits = parse_urdf(robot(LINKS + joint(inside=zeros))).joints["j"].limits
    assert limits.lower is None
    assert limits.upper is None


def test_senseless_shape_is_left_out_with_a_note() -> None:
    shape = '<visual><geometry><box size="1 nan 1"/></geometry></visual>'
    urdf = parse_urdf(robot(f'<link name="a">{shape}</link>'))
    assert urdf.links["a"].visuals == ()
    assert "left out" in urdf.notes[0]


def test_all_shapes_are_read() -> None:
    shapes = (
        '<box size="1 2 3"/>',
        '<cylinder radius="1" length="2"/>',
        '<sphere radius="4"/>',
        '<mesh filename="a.stl" scale="0.001 0.001 0.001"/>',
    )
    inside = "".join(f"<collision><geometry>{s}</geometry></collision>" for s in shapes)
    read = parse_urdf(robot(f'<link name="a">{inside}</link>')).links["a"].collisions
    assert [shape.kind for shape in read] == ["box", "cylinder", "sphere", "mesh"]
    assert [shape.size for shape in read] == [(1, 2, 3), (1, 2), (4,), ()]
    assert read[3].scale == (0.001, 0.001, 0.001)


def _mutated(text: str, rng: np.random.Generator) -> str:
    """Return the text with a few pieces cut, doubled, swapped or replaced."""
    words = ["nan", "1e308", "-1", "", "0", "x", '"', "<", ">", "/>", "a", "é", "\x07"]
    for _ in range(rng.integers(1, 3)):
        i, j = sorted(rng.integers(0, len(text), 2))
        j = min(j, i + int(rng.choice([1, 3, 40])))
        choice = rng.integers(0, 3)
        if choice == 0:
            text = text[:i] + text[j:]
        elif choice == 1:
            text = text[:j] + text[i:j] + text[j:]
        else:
            text = text[:i] + str(rng.choice(words)) + text[j:]
        text = text or "<"
    return text


def test_mutated_urdf_is_read_or_refused_but_never_crashes() -> None:
    rng = np.random.default_rng(7)
    shape = '<visual><geometry><box size="1 1 1"/></geometry></visual>'
    body = f'<link name="a">{shape}<inertial><mass value="1"/></inertial></link>'
    inside = '<origin xyz="0 0 1" rpy="0 1 0"/><axis xyz="0 1 0"/>' + LIMIT
    chain = body + '<link name="b"/><link name="c"/>' + joint(inside=inside)
    text = robot(chain + joint("k", "continuous", "b", "c", '<mimic joint="j"/>'))
    read = 0
    for _ in range(1000):
        try:
            urdf = parse_urdf(_mutated(text, rng))
            kinematics = Kinematics(clean_urdf(urdf))
            kinematics.update(kinematics.neutral())
            read += 1
        except TelexistError as error:
            assert "\n" not in str(error)
    assert read > 20


@pytest.mark.parametrize("mark", ["\x9b31m", "\u202e", "\u200b"])
def test_names_that_steer_a_terminal_are_refused(mark: str) -> None:
    text = f'<robot name="r"><link name="a{mark}b"/></robot>'
    with pytest.raises(BadModel, match="not printable") as caught:
        parse_urdf(text)
    assert str(caught.value).isprintable()
