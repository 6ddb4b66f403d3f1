"""OpenSim's coordinates: markers of the model meet those that were measured."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation
from telexist.retarget.errors import BadModel, BadRecording, TelexistError
from telexist.retarget.human.opensim import read_osim_bodies
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.opensim_motion.read_mot import mot_skeleton
from telexist.retarget.recordings.opensim_tables import read_table
from telexist.retarget.recordings.options import ReadOptions
from telexist.retarget.recordings.trc import trc_capture
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import angle_between


def joint(kind: str, name: str, parent: str, child: str, inner: str, names: str) -> str:
    coordinates = "".join(
        f'<Coordinate name="{n}"><default_value>0.1</default_value></Coordinate>'
        for n in names.split()
    )
    return f"""<{kind} name="{name}">
<socket_parent_frame>{parent}_offset</socket_parent_frame>
<socket_child_frame>{child}_offset</socket_child_frame>
<coordinates>{coordinates}</coordinates>
<frames>
<PhysicalOffsetFrame name="{parent}_offset">
<socket_parent>/bodyset/{parent}</socket_parent>
<translation>0.1 -0.2 0.3</translation><orientation>0.4 -0.5 0.6</orientation>
</PhysicalOffsetFrame>
<PhysicalOffsetFrame name="{child}_offset">
<socket_parent>/bodyset/{child}</socket_parent>
<translation>-0.3 0.1 0.2</translation><orientation>-0.2 0.7 0.1</orientation>
</PhysicalOffsetFrame>
</frames>{inner}</{kind}>"""


CURVE = "<SimmSpline><x>-1 0 1 2</x><y>0.3 -0.1 0.2 0.5</y></SimmSpline>"
CUSTOM = f"""<SpatialTransform>
<TransformAxis name="rotation1"><coordinates>bend</coordinates><axis>0 0 1</axis>
<LinearFunction name="function"><coefficients>-2 0.1</coefficients></LinearFunction>
</TransformAxis>
<TransformAxis name="rotation2"><coordinates>bend</coordinates><axis>1 0 0</axis>
<MultiplierFunction name="function"><function>{CURVE}</function><scale>0.5</scale>
</MultiplierFunction></TransformAxis>
<TransformAxis name="translation1"><coordinates>bend</coordinates><axis>0 1 0</axis>
{CURVE}</TransformAxis>
<TransformAxis name="translation2"><coordinates>way</coordinates><axis>1 0 0</axis>
<LinearFunction><coefficients>1 0</coefficients></LinearFunction></TransformAxis>
</SpatialTransform>"""
MODEL = f"""<OpenSimDocument Version="40000"><Model name="m"><JointSet><objects>
{joint("CustomJoint", "b", "a", "b", CUSTOM, "bend way")}
{joint("FreeJoint", "a", "ground", "a", "", "rx ry rz tx ty tz")}
{joint("PinJoint", "c", "b", "c", "", "pin")}
</objects></JointSet></Model></OpenSimDocument>"""


def test_bodies_are_where_scipy_puts_them(tmp_path: Path) -> None:
    path = tmp_path / "m.osim"
    path.write_text(MODEL, encoding="utf-8")
    bodies = read_osim_bodies(path)
    assert bodies.slides == {"tx", "ty", "tz", "way"}
    rng = np.random.default_rng(1)
    values = {n: rng.uniform(-1.5, 2.5, 6) for n in bodies.defaults if n != "way"}
    placed = bodies.placed(values, 6)

    def frame(p: list[float], angles: list[float]) -> np.ndarray:
        T = np.eye(4)
        T[:3, :3] = Rotation.from_euler("XYZ", angles).as_matrix()
        T[:3, 3] = p
        return T

    def turned(axis: str, angle: float) -> np.ndarray:
        T = np.eye(4)
        T[:3, :3] = Rotation.from_euler(axis, angle).as_matrix()
        return T

    outer = frame([0.1, -0.2, 0.3], [0.4, -0.5, 0.6])
    inner = np.linalg.inv(frame([-0.3, 0.1, 0.2], [-0.2, 0.7, 0.1]))
    spline = CubicSpline([-1, 0, 1, 2], [0.3, -0.1, 0.2, 0.5], bc_type="natural")

    def curve(x: float) -> float:
        inside = float(np.clip(x, -1, 2))
        return float(spline(inside) + spline(inside, 1) * (x - inside))

    for t in range(6):
        at = {name: float(column[t]) for name, column in values.items()}
        free = frame([at["tx"], at["ty"], at["tz"]], [at["rx"], at["ry"], at["rz"]])
        a = outer @ free @ inner
        slid = frame([0.1, curve(at["bend"]), 0.0], [0, 0, 0])  # way: its default
        custom = slid @ turned("z", -2 * at["bend"] + 0.1)
        b = a @ outer @ custom @ turned("x", 0.5 * curve(at["bend"])) @ inner
        c = b @ outer @ turned("z", at["pin"]) @ inner
        for name, T in (("a", a), ("b", b), ("c", c)):
            np.testing.assert_allclose(placed[name][0][t], T[:3, :3], atol=1e-12)
            np.testing.assert_allclose(placed[name][1][t], T[:3, 3], atol=1e-12)


@pytest.fixture
def opencap(shared_motions: Path) -> Path:
    return shared_motions / "nimblephysics" / "opencap_subject4"


@pytest.mark.parametrize(
    ("folder", "model", "table", "markers"),
    [
        ("opencap_subject4", "optimized_scale_and_markers", "walking1_ik", "walking1"),
        ("sprint_JA1", "rescaled", "JA1Gait35_ik", "JA1Gait35"),
    ],
)
def test_markers_of_the_model_are_where_cameras_saw_them(
    shared_motions: Path, folder: str, model: str, table: str, markers: str
) -> None:
    here = shared_motions / "nimblephysics" / folder
    bodies = read_osim_bodies(here / f"{model}.osim")
    found = read_table(here / f"{table}.mot")
    values = {n: found.column(n) for n in bodies.defaults if n in found.labels}
    placed = bodies.placed(values, len(found.time))
    seen = trc_capture(here / f"{markers}.trc")
    rows = np.searchsorted(seen.time, found.time - 1e-6).clip(0, len(seen.time) - 1)
    off = []
    for name, (body, place) in bodies.markers.items():
        if name in seen.names:
            R, p = placed[body]
            measured = seen.positions[rows, seen.names.index(name)] * (seen.unit or 1.0)
            off.append(np.nanmedian(np.linalg.norm(p + R @ place - measured, axis=1)))
    assert len(off) > 40
    assert np.median(off) < 0.013 and max(off) < 0.035, "what its own solver left [m]"


def test_limbs_bend_as_the_columns_say(opencap: Path) -> None:
    clip = read_clip(opencap / "squats1_ik.mot")
    table = read_table(opencap / "squats1_ik.mot")
    for side, end in (("Left", "_l"), ("Right", "_r")):
        for upper, lower, column in (
            ("UpperLeg", "LowerLeg", f"knee_angle{end}"),
            ("UpperArm", "ForeArm", f"elbow_flex{end}"),
        ):
            down = np.array([0.0, 0.0, -1.0])
            lines = [
                clip.rotations[:, SEGMENT_INDEX[f"{side}{part}"]] @ down
                for part in (upper, lower)
            ]
            bent = np.degrees(angle_between(*lines))
            stated = np.degrees(table.column(column))
            deep = stated > 25.0
            assert np.abs(bent - stated)[deep].mean() < 8.0
    hips = clip.positions[:, SEGMENT_INDEX["Pelvis"], 2]
    assert np.ptp(hips) > 0.2, "a squat"
    assert 1.6 < clip.size.height < 1.9
    assert any("33 of 35 coordinates" in note for note in clip.notes)


def test_full_names_of_coordinates_and_models_beside_are_found(
    shared_motions: Path,
) -> None:
    here = shared_motions / "opensim_core" / "example3DWalking"
    skeleton = mot_skeleton(here / "coordinates.sto")
    assert "31 of 33 coordinates of subject_walk_scaled.osim" in skeleton.notes[0]
    moved = skeleton.positions[:, 0] - skeleton.positions[0, 0]
    assert np.linalg.norm(moved[-1]) > 1.0, "it walks"


def small_table(path: Path, degrees: bool, rows: int = 30) -> Path:
    names = ["pelvis_tx", "pelvis_ty", "knee_angle_r"]
    k = np.arange(rows)
    knee = 0.3 + 0.01 * k
    lines = ["Coordinates", f"inDegrees={'yes' if degrees else 'no'}", "endheader"]
    lines.append("\t".join(["time", *names]))
    for i in range(rows):
        angle = np.degrees(knee[i]) if degrees else knee[i]
        lines.append(f"{0.01 * i}\t{0.02 * i}\t0.95\t{angle:.9f}")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_degrees_are_of_angles_alone(opencap: Path, tmp_path: Path) -> None:
    model = str(opencap / "optimized_scale_and_markers.osim")
    a = mot_skeleton(small_table(tmp_path / "a.mot", degrees=False), model=model)
    b = mot_skeleton(small_table(tmp_path / "b.mot", degrees=True), model=model)
    np.testing.assert_allclose(a.positions, b.positions, atol=1e-7)
    assert a.positions[-1, 0, 0] - a.positions[0, 0, 0] == pytest.approx(0.58)


def test_a_model_without_arms_gets_arms_that_hang(
    opencap: Path, tmp_path: Path
) -> None:
    tree = ET.parse(opencap / "optimized_scale_and_markers.osim")
    joints = tree.find("Model/JointSet/objects")
    assert joints is not None
    for element in list(joints):
        if str(element.get("name")).startswith(("acrom", "elbow", "radio", "radius")):
            joints.remove(element)
    tree.write(tmp_path / "legs.osim")
    path = small_table(tmp_path / "legs.mot", degrees=False)
    clip = read_clip(path)
    arm = SEGMENT_INDEX["LeftForeArm"], SEGMENT_INDEX["LeftUpperArm"]
    line = clip.positions[:, arm[0]] - clip.positions[:, arm[1]]
    assert (line[:, 2] < -0.2).all()
    assert any("no arms: they hang" in note for note in clip.notes)


def test_what_is_missing_is_said(opencap: Path, tmp_path: Path) -> None:
    path = small_table(tmp_path / "a.mot", degrees=True)
    with pytest.raises(BadRecording, match="its model is missing: put the .osim"):
        read_clip(path)
    for name in ("one.osim", "two.osim"):
        (tmp_path / name).write_text(MODEL, encoding="utf-8")
    with pytest.raises(BadRecording, match="which model.*one.osim, two.osim"):
        read_clip(path)
    with pytest.raises(BadRecording, match="no column is a coordinate"):
        read_clip(path, ReadOptions(body_model="one.osim"))
    with pytest.raises(BadModel, match="three.osim"):
        read_clip(path, ReadOptions(body_model="three.osim"))
    forces = opencap / "walking1_grf.mot"
    with pytest.raises(BadRecording, match="no column is a coordinate"):
        read_clip(forces)
    text = path.read_text(encoding="utf-8").replace("pelvis_tx", "bend")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadRecording, match="no bodies.*femur_l"):
        read_clip(path, ReadOptions(body_model="one.osim"))
    path.write_text(text.replace("0.95", "nan", 1), encoding="utf-8")
    with pytest.raises(BadRecording, match="row 1: not finite"):
        read_clip(path, ReadOptions(body_model="one.osim"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("PinJoint", "ScapulothoracicJoint"),
        ("<axis>0 0 1</axis>", "<axis>0 0 0</axis>"),
        ("<axis>0 0 1</axis>", "<axis>a b c</axis>"),
        ("SimmSpline", "StepFunction"),
        ("/bodyset/ground", "/bodyset/nothing"),
        ("<x>-1 0 1 2</x>", "<x>-1 0 1</x>"),
        ("<JointSet>", "<Joints>"),
        ("rx ry", ""),
    ],
)
def test_models_that_cannot_be_understood_are_one_line(
    old: str, new: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.mot"
    small_table(path, degrees=False)
    path.write_text(
        path.read_text(encoding="utf-8").replace("knee_angle_r", "bend"),
        encoding="utf-8",
    )
    text = (
        MODEL.replace('"rx"', f'"{new}"') if old == "rx ry" else MODEL.replace(old, new)
    )
    (tmp_path / "a.osim").write_text(text, encoding="utf-8")
    with pytest.raises(TelexistError) as caught:
        read_clip(path)
    assert "\n" not in str(caught.value)


def test_mutated_models_are_read_or_refused(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    path = tmp_path / "m.osim"
    for _ in range(150):
        bad = bytearray(MODEL.encode())
        for k in rng.integers(0, len(bad), rng.integers(1, 6)):
            bad[k] = rng.integers(32, 127)
        path.write_bytes(bad)
        try:
            bodies = read_osim_bodies(path)
            bodies.placed({}, 2)
        except TelexistError as error:
            assert "\n" not in str(error)
