"""OpenSim models read as links and wires, against markers of real people."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring
from telexist.retarget.errors import BadModel
from telexist.retarget.human.opensim.functions import value_at
from telexist.retarget.human.opensim.model import read_osim
from telexist.retarget.lm_pfd.iterations import evaluate
from telexist.retarget.lm_pfd.layout import build_problem
from telexist.retarget.lm_pfd.model import point_target
from telexist.retarget.lm_pfd.settings import LmSettings
from telexist.retarget.lm_pfd.solver import solve_pose

WALK = "opensim_core/example3DWalking/subject_walk_scaled.osim"
MODELS = {
    WALK: (31, 80),
    "nimblephysics/hamner_subject04/unscaled_generic.osim": (37, 92),
    "nimblephysics/opencap_subject4/optimized_scale_and_markers.osim": (33, 80),
    "nimblephysics/sprint_JA1/rescaled.osim": (33, 80),
}
FITS = {
    WALK: "markers_walk.trc",
    "nimblephysics/opencap_subject4/optimized_scale_and_markers.osim": "static1.trc",
    "nimblephysics/sprint_JA1/rescaled.osim": "JA1Gait35.trc",
}
FITTED = 0.03  # [m] rms of a scaled model on its own person's markers

PENDULUM = """<?xml version="1.0"?>
<OpenSimDocument Version="40000"><Model name="pendulum"><JointSet><objects>
  <PinJoint name="hinge">
    <socket_parent_frame>ground_offset</socket_parent_frame>
    <socket_child_frame>rod_offset</socket_child_frame>
    <coordinates><Coordinate name="angle">
      <default_value>{angle}</default_value></Coordinate></coordinates>
    <frames>
      <PhysicalOffsetFrame name="ground_offset">
        <socket_parent>/ground</socket_parent>
        <translation>0 1 0</translation><orientation>0 0 0</orientation>
      </PhysicalOffsetFrame>
      <PhysicalOffsetFrame name="rod_offset">
        <socket_parent>/bodyset/rod</socket_parent>
        <translation>0 0.5 0</translation><orientation>0 0 0</orientation>
      </PhysicalOffsetFrame>
    </frames>
  </PinJoint>
</objects></JointSet></Model></OpenSimDocument>
"""


@pytest.mark.parametrize("name", MODELS)
def test_public_models_are_read(shared_motions: Path, name: str) -> None:
    body = read_osim(shared_motions / name)
    assert (body.model.dofs, len(body.model.wires)) == MODELS[name]
    problem = build_problem(body.model, [], LmSettings())
    evaluate(problem)
    assert not np.any(problem.wires["excess"] > 1e-12)
    place = dict(zip(body.model.index(), problem.links["p"], strict=True))
    heights = [place[x][1] for x in ("torso", "pelvis", "femur_r", "tibia_r", "toes_r")]
    assert np.all(np.diff(heights) < 0.0)
    mirrored = place["femur_l"] * [1.0, 1.0, -1.0]
    np.testing.assert_allclose(mirrored, place["femur_r"], atol=0.02)


def first_markers(trc: Path) -> dict[str, np.ndarray]:
    """Return the first frame of a TRC file [m]."""
    lines = trc.read_text(encoding="utf-8").splitlines()
    unit = 1e-3 if "mm" in lines[2].split() else 1.0
    names = lines[3].split()[2:]
    row = next(x for x in lines[5:] if x.strip() and x.split()[0].isdigit())
    values = np.array(row.split("\t")[2 : 2 + 3 * len(names)], dtype=np.float64)
    return dict(zip(names, unit * values.reshape(-1, 3), strict=True))


@pytest.mark.parametrize("name", FITS)
def test_scaled_model_fits_its_own_person(shared_motions: Path, name: str) -> None:
    body = read_osim(shared_motions / name)
    measured = first_markers((shared_motions / name).with_name(FITS[name]))
    shared = [m for m in measured if m in body.markers and np.any(measured[m])]
    assert len(shared) > 20
    targets = [
        point_target(body.markers[m].link, body.markers[m].link_p_point, measured[m])
        for m in shared
    ]
    solution = solve_pose(body.model, targets, settings=LmSettings(iterations=300))
    assert np.sqrt(2.0 * solution.cost / len(shared)) < FITTED


@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_rod_hangs_on_its_pin(tmp_path: Path, angle: float) -> None:
    path = tmp_path / "pendulum.osim"
    path.write_text(PENDULUM.format(angle=angle), encoding="utf-8")
    body = read_osim(path)
    problem = build_problem(body.model, [], LmSettings())
    evaluate(problem)
    rod = problem.links[body.model.index()["rod"]]["p"]
    expected = [0.5 * np.sin(angle), 1.0 - 0.5 * np.cos(angle), 0.0]
    np.testing.assert_allclose(rod, expected, atol=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "not XML",
        "<OpenSimDocument/>",
        PENDULUM.format(angle=0).replace("PinJoint", "ScrewJoint"),
        PENDULUM.format(angle="much"),
        PENDULUM.format(angle=0).replace("/ground<", "/moon<"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.osim"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadModel, match="bad.osim"):
        read_osim(path)


def test_functions_of_coordinates() -> None:
    cases = {
        "<Constant><value>2</value></Constant>": (2.0, 0.0),
        "<LinearFunction><coefficients>-1 3</coefficients></LinearFunction>": (1.0, -1),
        "<PolynomialFunction><coefficients>1 0 1</coefficients></PolynomialFunction>": (
            5.0,
            0.0,
        ),
        "<SimmSpline><x>0 1 2 3</x><y>0 1 2 3</y></SimmSpline>": (2.0, 0.0),
    }
    for text, (value, slope) in cases.items():
        found = value_at(fromstring(text), 2.0)
        assert found == pytest.approx((value, slope))
