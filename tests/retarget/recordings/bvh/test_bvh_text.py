"""The BVH parser: every dialect in, every kind of damage out with its place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from telexist.retarget.errors import BadRecording, TelexistError
from telexist.retarget.recordings.bvh.read_bvh import bvh_skeleton
from telexist.retarget.recordings.bvh.text import parse_bvh, read_text

SMALL = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 5 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 90 0 0 0 0 0 0 0
1 90 0 90 0 0 0 0 0
2 90 0 0 0 0 90 0 0
"""


def skeleton(tmp_path: Path, text: str | bytes):
    path = tmp_path / "a.bvh"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return bvh_skeleton(path)


def test_points_are_where_the_angles_put_them(tmp_path):
    read = skeleton(tmp_path, SMALL)
    assert read.names == ("Hips", "Chest", "Chest End")
    assert read.parents == (-1, 0, 1)
    assert read.is_end == (False, False, True)
    assert np.allclose(read.rest_positions, [[0, 0, 0], [0, 10, 0], [0, 15, 0]])
    # turned by 90 degrees about z, y becomes -x
    expected = [
        [[0, 90, 0], [0, 100, 0], [0, 105, 0]],
        [[1, 90, 0], [-9, 90, 0], [-14, 90, 0]],
        [[2, 90, 0], [2, 100, 0], [-3, 100, 0]],
    ]
    assert np.allclose(read.positions, expected)
    assert np.allclose(read.time, [0.0, 0.0333333, 0.0666666])


def test_angles_multiply_in_the_order_of_the_file(tmp_path):
    text = SMALL.replace("0 90 0 0 0 0 0 0 0", "0 90 0 90 90 0 0 0 0")
    read = skeleton(tmp_path, text)
    about_z = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    assert np.allclose(read.rotations[0, 0], about_z @ about_x)


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.replace("\n", "\r\n"),
        lambda s: s.replace("\n", "\r"),
        lambda s: s.replace("  ", "\t"),
        lambda s: s.upper().replace("HIPS", "Hips").replace("CHEST", "Chest"),
        lambda s: s.lower().replace("hips", "Hips").replace("chest", "Chest"),
        lambda s: "\ufeff" + s,
        lambda s: s.replace("End Site", "End site"),
        lambda s: s.replace("Frames: 3", "Frames:\t3 "),
        lambda s: s.replace("0.0333333", ".0333333"),
        lambda s: s.replace("\n  {", " {").replace("\n{", " {"),
        lambda s: s.replace("0 90 0 0", "0\n90 0\n0"),
        lambda s: s.replace("\nMOTION", "\n\n\nMOTION\n").rstrip(),
        lambda s: s + "\n\n  \n",
    ],
)
def test_white_space_case_and_line_ends_do_not_matter(tmp_path, change):
    plain, changed = skeleton(tmp_path, SMALL), skeleton(tmp_path, change(SMALL))
    assert changed.names == plain.names
    assert np.allclose(changed.positions, plain.positions)


def test_utf_16_is_read(tmp_path):
    read = skeleton(tmp_path, SMALL.encode("utf-16"))
    assert read.names[0] == "Hips"


def test_names_may_hold_colons_spaces_and_repeat(tmp_path):
    text = SMALL.replace("Hips", "mixamorig:Hips 01").replace(
        "Chest", "mixamorig:Hips 01"
    )
    read = skeleton(tmp_path, text)
    assert read.names[:2] == ("mixamorig:Hips 01", "mixamorig:Hips 01#2")


def test_joints_without_channels_and_nested_end_sites_are_read(tmp_path):
    nested = "End Site { OFFSET 0 5 0 End Site { OFFSET 0 1 0 } }"
    text = SMALL.replace(
        "End Site\n    {\n      OFFSET 0 5 0\n    }",
        nested + "\nJOINT Nub { OFFSET 1 0 0 CHANNELS 0 }",
    )
    read = skeleton(tmp_path, text)
    assert len(read.names) == 5
    assert np.allclose(read.rest_positions[3], [0, 16, 0])


def test_positions_below_the_root_replace_or_add_as_the_values_tell(tmp_path):
    three = "CHANNELS 3 Zrotation Xrotation Yrotation"
    six = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    head, _, _ = SMALL.replace(three, six).partition("0 90 0 0 0 0 0 0 0")
    for values in ("0 10.1 0", "0 0.1 0"):
        rows = "\n".join(f"0 90 0 0 0 0 {values} 0 0 0" for _ in range(3))
        read = skeleton(tmp_path, head + rows)
        assert np.allclose(read.positions[:, 1], [0, 100.1, 0])


BAD = {
    "empty": ("", "empty"),
    "blank": (" \n\t\n", "empty"),
    "other text": ("ply\nformat ascii 1.0\n", "HIERARCHY"),
    "no motion": (SMALL.split("MOTION")[0], "truncated"),
    "cut in the hierarchy": (SMALL[:140], "ends before MOTION"),
    "no frames": (SMALL.replace("Frames: 3", "Frames: 0"), "no frames"),
    "one frame": (SMALL.replace("Frames: 3", "Frames: 1"), "only one frame"),
    "negative frames": (SMALL.replace("Frames: 3", "Frames: -3"), "number of frames"),
    "too many frames": (SMALL.replace("Frames: 3", "Frames: 900000000"), "announced"),
    "too few frames": (SMALL.replace("Frames: 3", "Frames: 2"), "announced"),
    "cut in the motion": (SMALL[:-12], "values instead of 9"),
    "missing value": (
        SMALL.replace("1 90 0 90 0 0", "1 90 0 90 0"),
        "line 20, frame 1",
    ),
    "nan": (SMALL.replace("1 90 0 90", "1 nan 0 90"), "frame 1, joint Hips"),
    "infinite": (SMALL.replace("90 0 0\n", "inf 0 0\n"), "frame 2, joint Chest"),
    "huge": (SMALL.replace("1 90 0 90", "1 9e99 0 90"), "frame 1"),
    "word": (SMALL.replace("1 90 0 90", "1 ninety 0 90"), "line 20"),
    "comma": (SMALL.replace("1 90 0 90", "1 90,5 0 90"), "line 20"),
    "underscore": (SMALL.replace("1 90 0 90", "1 9_0 0 90"), "line 20"),
    "zero time": (SMALL.replace("0.0333333", "0"), "makes no sense"),
    "negative time": (SMALL.replace("0.0333333", "-0.03"), "makes no sense"),
    "nan time": (SMALL.replace("0.0333333", "nan"), "makes no sense"),
    "slow": (SMALL.replace("0.0333333", "33.3"), "makes no sense"),
    "fast": (SMALL.replace("0.0333333", "1e-5"), "makes no sense"),
    "no time": (SMALL.replace("Frame Time: 0.0333333\n", ""), "Frame Time"),
    "bad channel": (SMALL.replace("Yrotation", "Wrotation"), "known: xposition"),
    "many channels": (SMALL.replace("CHANNELS 3", "CHANNELS 99999999999"), "channels"),
    "channel twice": (SMALL.replace("Yposition", "Xposition"), "bad channel"),
    "no offset": (SMALL.replace("OFFSET 0 10 0", ""), "Chest has no OFFSET"),
    "bad offset": (SMALL.replace("OFFSET 0 10 0", "OFFSET 0 ten 0"), "line 8"),
    "nan offset": (SMALL.replace("OFFSET 0 10 0", "OFFSET 0 nan 0"), "line 8"),
    "open block": (SMALL.replace("}\nMOTION", "MOTION"), "not closed"),
    "closed twice": (SMALL.replace("}\nMOTION", "}\n}\nMOTION"), "unexpected"),
    "no root": (SMALL.replace("ROOT", "JOINT"), "outside"),
    "stray word": (SMALL.replace("OFFSET 0 10", "WEIGHT 0 10"), "unexpected 'WEIGHT'"),
    "no joint": ("HIERARCHY\nMOTION\nFrames: 2\nFrame Time: 0.1\n1\n2\n", "no joint"),
    "deep": ("HIERARCHY\nROOT a {" + "JOINT b {" * 10_000, "nested"),
}


@pytest.mark.parametrize("case", BAD, ids=str)
def test_damage_is_one_clear_line_with_its_place(tmp_path, case):
    text, part = BAD[case]
    with pytest.raises(BadRecording) as caught:
        skeleton(tmp_path, text)
    message = str(caught.value)
    assert part in message
    assert "a.bvh" in message
    assert "\n" not in message


@pytest.mark.parametrize("data", [bytes(range(256)) * 40, b"\x00" * 100, b"PK\x03\x04"])
def test_binary_files_are_refused(tmp_path, data):
    with pytest.raises(BadRecording):
        skeleton(tmp_path, data)


def test_an_unreadable_file_is_refused(tmp_path):
    with pytest.raises(BadRecording, match="No such file"):
        read_text(tmp_path / "absent.bvh")


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_changed_bytes_never_break_the_parser(data):
    raw = bytearray(SMALL.encode())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw) - 1))
        kind = data.draw(st.sampled_from(["set", "cut", "copy", "end"]))
        if kind == "set":
            raw[at] = data.draw(st.integers(1, 255))
        elif kind == "cut":
            del raw[at : at + data.draw(st.integers(1, 30))]
        elif kind == "copy":
            raw[at:at] = raw[at : at + 40]
        else:
            del raw[at + 1 :]
        if not raw:
            break
    try:
        parsed = parse_bvh(raw.decode("latin-1"), "fuzz.bvh")
    except TelexistError:
        return
    assert np.isfinite(parsed.values).all()
