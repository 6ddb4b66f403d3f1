"""MVNX: clips written by an independent writer come back; damaged files are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from telexist.retarget.errors import BadRecording, TelexistError, UnknownSkeleton
from telexist.retarget.human_size import TIPS
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.mvnx.read_mvnx import read_mvnx
from telexist.retarget.recordings.options import ReadOptions
from telexist.retarget.segments import LIMBS, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import (
    angle_between,
    angular_velocities,
    log_so3,
    rotation_x,
    rotation_z,
    yaw_of,
)

CLOSE = np.radians(0.1)  # [rad] quaternions are written with six decimals
MILLIMETRE = 1e-3
POINT_LABELS = {
    "HeadTop": "pTopOfHead",
    "LeftHandTip": "pLeftTopOfHand",
    "RightHandTip": "pRightTopOfHand",
    "LeftHeel": "pLeftHeelFoot",
    "RightHeel": "pRightHeelFoot",
    "LeftToeTip": "pLeftToe",
    "RightToeTip": "pRightToe",
}


def t_pose(segment: str) -> np.ndarray:
    """Our frame in T-pose: the arms lifted aside from N-pose."""
    if not segment.endswith(("UpperArm", "ForeArm", "Hand")):
        return np.eye(3)
    return rotation_x(np.pi / 2 if segment.startswith("Left") else -np.pi / 2)


def quats_wxyz(rotations: np.ndarray) -> np.ndarray:
    """Convert with scipy: a second witness for quaternions and their order."""
    flat = Rotation.from_matrix(rotations.reshape(-1, 3, 3))
    return flat.as_quat(scalar_first=True).reshape(*rotations.shape[:2], 4)


def row(values: np.ndarray) -> str:
    return " ".join(f"{value:.6f}" for value in np.ravel(values))


def mvnx_text(
    clip: HumanClip,
    *,
    version: str = "4",
    segments: tuple[str, ...] = SEGMENTS,
    quantities: tuple[str, ...] = ("position", "angularVelocity"),
    turn: float = 0.0,
    lift: float = 0.0,
    points: bool = True,
) -> str:
    """Write a clip as MVN would: frames parallel to the world in T-pose."""
    R = rotation_z(turn)
    order = [SEGMENT_INDEX[name] for name in segments if name in SEGMENT_INDEX]
    mvn = np.stack([t_pose(name) for name in SEGMENTS])
    rotations = R @ clip.rotations @ np.swapaxes(mvn, -1, -2)
    values = {
        "orientation": quats_wxyz(rotations),
        "position": clip.positions @ R.T + [0.3, -0.2, lift],
        "angularVelocity": clip.angular_velocities @ R.T,
    }
    rate = f'frameRate="{clip.rate:.0f}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<mvnx xmlns="http://www.xsens.com/mvn/mvnx" version="{version}">',
        f'<subject label="a" {rate} segmentCount="{len(segments)}"><segments>',
    ]
    for i, name in enumerate(segments):
        lines += [f'<segment label="{name}" id="{i + 1}"><points>']
        lines += point_lines(clip, name, mvn) if points else []
        lines += ["</points></segment>"]
    lines += [f'</segments><frames segmentCount="{len(segments)}">']
    one = row(np.tile([1.0, 0.0, 0.0, 0.0], len(order)))
    for kind in ("identity", "tpose", "tpose-isb", "npose"):
        lines.append(f'<frame time="0" type="{kind}"><orientation>{one}</orientation>')
        lines.append("</frame>")
    for k in range(len(clip)):
        stamp = round(1000 * clip.time[k])
        lines.append(f'<frame time="{stamp}" index="{k}" type="normal">')
        lines += [
            f"<{name}>{row(values[name][k][order])}</{name}>"
            for name in ("orientation", *quantities)
        ]
        lines.append("</frame>")
    return "\n".join([*lines, "</frames></subject></mvnx>"])


def point_lines(clip: HumanClip, segment: str, mvn: np.ndarray) -> list[str]:
    lines = []
    for tip, owner in TIPS.items():
        if owner == segment:
            offset = clip.size.tips[tip] - clip.size.joints[owner]
            where = row(mvn[SEGMENT_INDEX[segment]] @ offset)
            lines.append(f'<point label="{POINT_LABELS[tip]}"><pos_b>{where}</pos_b>')
            lines.append("</point>")
    return lines


@pytest.fixture(scope="module")
def clip() -> HumanClip:
    return builtin_clip(10.0, 1.6)


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    def write(clip: HumanClip, **how: object) -> Path:
        path = tmp_path / "motion.mvnx"
        path.write_text(mvnx_text(clip, **how), encoding="utf-8")  # type: ignore[arg-type]
        return path

    return write


def furthest_turn(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(log_so3(a @ np.swapaxes(b, -1, -2)), axis=-1).max())


def assert_law_of_limbs(clip: HumanClip) -> None:
    for limb, end in LIMBS.items():
        i, j = SEGMENT_INDEX[limb], SEGMENT_INDEX[end]
        along = clip.positions[:, j] - clip.positions[:, i]
        down = clip.rotations[:, i] @ np.array([0.0, 0.0, -1.0])
        assert np.degrees(angle_between(along, down).max()) < 1.0
    placed = clip.size.positions(clip.rotations, clip.positions[:, 0])
    assert np.abs(placed - clip.positions).max() < MILLIMETRE


@pytest.mark.parametrize("turn", [0.0, 2.0, -3.0])
def test_a_written_clip_comes_back(
    clip: HumanClip, written: Callable[..., Path], turn: float
) -> None:
    back = read_mvnx(written(clip, turn=turn, lift=-0.7), ReadOptions())
    assert furthest_turn(back.rotations, clip.rotations) < CLOSE
    assert np.abs(back.positions - clip.positions).max() < MILLIMETRE
    assert np.abs(back.angular_velocities - clip.angular_velocities).max() < 1e-5
    assert np.allclose(back.time, clip.time, atol=1e-9)
    for name in SEGMENTS:
        assert np.allclose(back.size.joints[name], clip.size.joints[name], atol=1e-4)
    for name in TIPS:
        assert np.allclose(back.size.tips[name], clip.size.tips[name], atol=1e-4)
    assert_law_of_limbs(back)


def test_without_points_the_tips_are_those_of_an_average_body(
    clip: HumanClip, written: Callable[..., Path]
) -> None:
    back = read_mvnx(written(clip, points=False), ReadOptions())
    assert furthest_turn(back.rotations, clip.rotations) < CLOSE
    assert back.size.height == pytest.approx(1.6, abs=0.01)


def test_without_angular_velocities_they_are_differentiated(
    clip: HumanClip, written: Callable[..., Path]
) -> None:
    back = read_mvnx(written(clip, quantities=("position",)), ReadOptions())
    want = angular_velocities(back.rotations, back.time)
    assert np.array_equal(back.angular_velocities, want)
    assert "differentiated" in " ".join(back.notes)


def test_version_3_and_other_segment_orders_and_props_are_read(
    clip: HumanClip, written: Callable[..., Path]
) -> None:
    path = written(clip, version="3", segments=tuple(reversed(SEGMENTS)))
    back = read_mvnx(path, ReadOptions())
    assert furthest_turn(back.rotations, clip.rotations) < CLOSE


def test_a_stated_neutral_frame_sets_every_twist(
    clip: HumanClip, written: Callable[..., Path]
) -> None:
    back = read_mvnx(
        written(clip, turn=1.0), ReadOptions(neutral="frame", neutral_frame=0)
    )
    assert furthest_turn(back.rotations, clip.rotations) < CLOSE


def test_options_choose_time_heading_and_floor(
    clip: HumanClip, written: Callable[..., Path]
) -> None:
    path = written(clip, turn=0.5)
    part = read_mvnx(path, ReadOptions(start=2.0, end=5.0))
    assert part.time[0] == 0.0 and part.time[-1] == pytest.approx(3.0)
    kept = read_mvnx(path, ReadOptions(heading="keep"))
    assert yaw_of(kept.rotations[0, 0]) == pytest.approx(0.5, abs=1e-4)
    lifted = read_mvnx(path, ReadOptions(floor=-1.0))
    assert lifted.positions[0, 0, 2] == pytest.approx(clip.positions[0, 0, 2] + 1.0)
    slow = read_mvnx(path, ReadOptions(rate=5.0))
    assert slow.time[-1] == pytest.approx(2.0 * clip.time[-1])
    late = read_mvnx(path, ReadOptions(skip_first_frames=len(clip) - 2))
    assert len(late) == 2


def test_missing_segments_are_named(
    clip: HumanClip, written: Callable[..., Path]
) -> None:
    upper = tuple(name for name in SEGMENTS if "Leg" not in name)
    with pytest.raises(UnknownSkeleton, match="RightUpperLeg, RightLowerLeg"):
        read_mvnx(written(clip, segments=upper), ReadOptions())


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("<mvnx ", "<bvh ", "damaged|not <mvnx>"),
        ("</mvnx>", "", "damaged"),
        ("<orientation>", "<orientation>nan ", "not finite"),
        ("<orientation>", "<orientation>one ", "not a number"),
        ("<orientation>", "<orientation>1.0 ", "93 numbers for 23 segments"),
        ("<position>", "<nothing>", "damaged"),
        ("position", "elsewhere", "lacks the position"),
        ('type="normal"', 'type="tpose"', "no frames"),
        ('index="3"', 'index="1"', "does not increase"),
        ('frameRate="10"', 'frameRate="x"', "not a number"),
        ('label="L5"', 'label="L3"', "occurs twice"),
    ],
)
def test_damage_is_one_clear_line(
    clip: HumanClip, tmp_path: Path, old: str, new: str, match: str
) -> None:
    text = mvnx_text(clip)
    at = text.index('type="normal"') if old.startswith("<orient") else 0
    path = tmp_path / "bad.mvnx"
    path.write_text(text[:at] + text[at:].replace(old, new), encoding="utf-8")
    with pytest.raises(BadRecording, match=match) as caught:
        read_mvnx(path, ReadOptions())
    assert "\n" not in str(caught.value) and "bad.mvnx" in str(caught.value)


@pytest.mark.parametrize("skip", [10**9])
def test_options_that_leave_nothing_are_refused(
    clip: HumanClip, written: Callable[..., Path], skip: int
) -> None:
    path = written(clip)
    with pytest.raises(BadRecording, match="left"):
        read_mvnx(path, ReadOptions(skip_first_frames=skip))
    with pytest.raises(BadRecording, match="neutral_frame"):
        read_mvnx(path, ReadOptions(neutral="frame", neutral_frame=10**6))
    with pytest.raises(BadRecording, match="z up"):
        read_mvnx(path, ReadOptions(up="y"))


def test_entity_bombs_are_not_unfolded(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    path = tmp_path / "bomb.mvnx"
    path.write_text(f'<?xml version="1.0"?>{bomb}<mvnx version="4">&b;</mvnx>')
    with pytest.raises(BadRecording, match="entities"):
        read_mvnx(path, ReadOptions())


@pytest.mark.parametrize(
    "content",
    [b"", b"\0\xff", b"<mvnx/>", b"<a>" * 10**5, b'<?xml encoding="no"?><m/>'],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.mvnx"
    path.write_bytes(content)
    with pytest.raises(BadRecording):
        read_mvnx(path, ReadOptions())


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    derandomize=True,
)
@given(data=st.data())
def test_mutated_files_only_raise_our_errors(
    clip: HumanClip, tmp_path: Path, data: st.DataObject
) -> None:
    content = bytearray(_short(clip))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        cut = data.draw(st.integers(0, 200))
        content[at : at + cut] = data.draw(st.binary(max_size=8))
    path = tmp_path / "mutated.mvnx"
    path.write_bytes(content)
    try:
        back = read_mvnx(path, ReadOptions())
    except TelexistError as error:
        assert "\n" not in str(error)
    else:
        assert np.isfinite(back.positions).all()


def _short(clip: HumanClip) -> bytes:
    parts = {
        name: getattr(clip, name)[:3]
        for name in (
            "time",
            "rotations",
            "angular_velocities",
            "positions",
            "linear_velocities",
        )
    }
    short = HumanClip(name="a", source="b", size=clip.size, **parts)
    return mvnx_text(short).encode()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "cmu/16_35.bvh",
        "cmu/111_37.bvh",
        "animated_drawings/wave_hello.bvh",
        "gmr_xsens/251021_04_boxing_120Hz_cm_3DsMax.bvh",
    ],
)
def test_recordings_of_other_formats_come_back_from_mvnx(
    shared_motions: Path, written: Callable[..., Path], name: str
) -> None:
    clip = read_clip(shared_motions / name)
    back = read_mvnx(written(clip, lift=0.3), ReadOptions(rate=clip.rate))
    assert furthest_turn(back.rotations, clip.rotations) < CLOSE
    assert np.abs(back.positions - clip.positions).max() < 0.01
    assert_law_of_limbs(back)


def test_the_public_recording_of_a_seated_person_is_read(shared_motions: Path) -> None:
    path = shared_motions / "mvnx_blender_io" / "test_mocap.mvnx"
    back = read_mvnx(path, ReadOptions())
    assert len(back) == 112 and back.rate == pytest.approx(60.0)
    assert_law_of_limbs(back)
    assert abs(yaw_of(back.rotations[0, 0])) < np.radians(2.0)
    difference = angular_velocities(back.rotations, back.time) - back.angular_velocities
    assert np.sqrt((difference**2).mean()) < 0.1, "recorded in world axes"
    assert 1.5 < back.size.height < 1.75


def test_fingers_of_gloves_are_read_where_they_are(
    clip: HumanClip, written: Callable[..., Path]
) -> None:
    path = written(clip)
    hand = np.arange(60.0).reshape(20, 3) / 100.0
    unit = "1 0 0 0 " * 20
    inside = (
        f"<positionFingersLeft>{row(hand)}</positionFingersLeft>"
        f"<orientationFingersLeft>{unit}</orientationFingersLeft>"
    )
    assert read_mvnx(path, ReadOptions()).hand_points is None
    text = path.read_text().replace("</position>", f"</position>{inside}")
    path.write_text(text)
    points = read_mvnx(path, ReadOptions()).hand_points
    assert points is not None
    assert points.shape == (len(clip), 2, 25, 3)
    assert np.isnan(points[:, 1]).all()
    assert points[5, 0, [0, 1, 2, 3]] == pytest.approx(hand[[0, 1, 2, 3]])
    assert points[5, 0, [6, 7, 8]] == pytest.approx(hand[[5, 6, 7]])
    path.write_text(text.replace("1 0 0 0 1 0 0 0", "3 0 0 0 nan 0 0 0", 1))
    with pytest.raises(BadRecording, match="Fingers"):
        read_mvnx(path, ReadOptions())
