"""Body shape: bones are those of the model, computed here in another way."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csc_matrix
from telexist.retarget.errors import BadModel, TelexistError
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.options import ReadOptions
from telexist.retarget.recordings.smpl.body_model import find_model, read_model
from telexist.retarget.recordings.smpl.body_shape import (
    JOINT_NAMES,
    PARENTS,
    average_body,
    modelled_body,
)
from telexist.retarget.segments import SEGMENT_INDEX

Amass = Callable[..., Path]
EACH = 6  # vertices around every joint


def model_arrays(seed: int = 0) -> dict[str, np.ndarray]:
    """Return a body of small clouds around its joints, the last of them at the ends.

    Its two shapes make legs longer and arms longer; the regressor takes means.
    """
    rng = np.random.default_rng(seed)
    joints = np.zeros((22, 3))
    body = average_body()
    for j, parent in enumerate(PARENTS):
        above = joints[parent] if parent >= 0 else np.array([0.0, -0.2, 0.01])
        joints[j] = above + body.offsets[j]
    ends = {"head": (0, 0.2, 0), "left_wrist": (0.2, 0, 0), "right_wrist": (-0.2, 0, 0)}
    ends |= {"left_foot": (0, -0.02, 0.07), "right_foot": (0, -0.02, 0.07)}
    points = [joints[JOINT_NAMES.index(n)] + np.array(v) for n, v in ends.items()]
    clouds = joints[:, None] + rng.normal(size=(22, EACH, 3)) * 0.004
    template = np.concatenate([clouds.reshape(-1, 3), points])
    regressor = np.zeros((24, len(template)))
    for j in range(22):
        regressor[j, j * EACH : (j + 1) * EACH] = 1.0 / EACH
    shapes = np.zeros((len(template), 3, 4))
    shapes[:, 1, 0] = 0.1 * (template[:, 1] + 0.2)
    shapes[:, 0, 1] = 0.05 * template[:, 0]
    return {"v_template": template, "shapedirs": shapes, "J_regressor": regressor}


def bones(joints: np.ndarray) -> dict[str, float]:
    return {
        name: float(np.linalg.norm(joints[j] - joints[PARENTS[j]]))
        for j, name in enumerate(JOINT_NAMES)
        if PARENTS[j] >= 0
    }


def expected(arrays: dict[str, np.ndarray], betas: np.ndarray) -> dict[str, float]:
    k = len(betas)
    vertices = arrays["v_template"].copy()
    for i in range(k):
        vertices += betas[i] * arrays["shapedirs"][:, :, i]
    return bones(np.einsum("jv,va->ja", arrays["J_regressor"], vertices)[:22])


@pytest.mark.parametrize("betas", [[0.0, 0.0], [2.0, -1.0], [-1.5, 2.0, 0.5]])
def test_the_person_has_the_bones_of_the_model(
    betas: list[float], tmp_path: Path, amass: Amass
) -> None:
    arrays = model_arrays()
    np.savez(tmp_path / "SMPLH_NEUTRAL.npz", **arrays)
    path = amass(tmp_path / "a.npz", betas=np.array(betas))
    clip = read_clip(path, ReadOptions(body_model="SMPLH_NEUTRAL.npz"))
    known = expected(arrays, np.array(betas))

    def length(a: str, b: str) -> float:
        line = clip.positions[:, SEGMENT_INDEX[a]] - clip.positions[:, SEGMENT_INDEX[b]]
        return float(np.linalg.norm(line, axis=1).mean())

    assert length("LeftUpperLeg", "LeftLowerLeg") == pytest.approx(known["left_knee"])
    assert length("RightLowerLeg", "RightFoot") == pytest.approx(known["right_ankle"])
    assert length("LeftForeArm", "LeftHand") == pytest.approx(known["left_wrist"])
    assert length("RightUpperArm", "RightForeArm") == pytest.approx(
        known["right_elbow"]
    )
    assert any("SMPLH_NEUTRAL.npz with" in note for note in clip.notes)


def test_the_ends_are_those_of_the_surface(tmp_path: Path) -> None:
    arrays = model_arrays()
    np.savez(tmp_path / "m.npz", **arrays)
    body = modelled_body(read_model(tmp_path / "m.npz"), None)
    head, left, right, left_toe, _ = body.offsets[22:]
    assert head[1] == pytest.approx(0.2, abs=0.005)
    assert left[0] == pytest.approx(0.2, abs=0.005)
    assert right[0] == pytest.approx(-0.2, abs=0.005)
    assert left_toe == pytest.approx([0.0, -0.02, 0.07], abs=0.005)


class Chumpy:
    """Stands for one of Chumpy's arrays in the pickles of SMPL."""

    def __init__(self, x: np.ndarray) -> None:
        self.x = x


Chumpy.__module__, Chumpy.__qualname__, Chumpy.__name__ = "chumpy.ch", "Ch", "Ch"


def test_the_pickles_of_smpl_give_the_same_body(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys
    import types

    module = types.ModuleType("chumpy.ch")
    module.Ch = Chumpy  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "chumpy", types.ModuleType("chumpy"))
    monkeypatch.setitem(sys.modules, "chumpy.ch", module)
    arrays = model_arrays()
    np.savez(tmp_path / "m.npz", **arrays)
    tree = {
        "v_template": arrays["v_template"],
        "shapedirs": Chumpy(arrays["shapedirs"]),
        "J_regressor": csc_matrix(arrays["J_regressor"]),
        "f": np.zeros((3, 3), np.uint32),
        "bs_style": "lbs",
    }
    (tmp_path / "m.pkl").write_bytes(pickle.dumps(tree, protocol=2))
    one, other = read_model(tmp_path / "m.npz"), read_model(tmp_path / "m.pkl")
    for name in ("template", "shapes", "regressor"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_a_folder_gives_the_model_of_kind_and_gender(tmp_path: Path) -> None:
    for name in (
        "smplx/SMPLX_NEUTRAL.npz",
        "smplx/SMPLX_FEMALE.npz",
        "smplx/SMPLX_MALE.npz",
        "smplh/male/model.npz",
        "smplh/female/model.npz",
        "smpl/SMPL_NEUTRAL.pkl",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    def found(joints: int, gender: str) -> str:
        path = find_model(tmp_path, joints=joints, gender=gender)
        return path.relative_to(tmp_path).as_posix()

    assert found(55, "male") == "smplx/SMPLX_MALE.npz"
    assert found(55, "female") == "smplx/SMPLX_FEMALE.npz"
    assert found(55, "") == "smplx/SMPLX_NEUTRAL.npz"
    assert found(52, "male") == "smplh/male/model.npz"
    assert found(24, "female") == "smpl/SMPL_NEUTRAL.pkl"
    (tmp_path / "none").mkdir()
    with pytest.raises(BadModel, match="no body model"):
        find_model(tmp_path / "none", joints=24, gender="")
    with pytest.raises(BadModel, match="no such"):
        find_model(tmp_path / "absent", joints=24, gender="")


def test_without_a_model_the_first_parameter_is_the_stature(
    tmp_path: Path, amass: Amass
) -> None:
    heights = []
    for first in (-2.0, 0.0, 2.0):
        clip = read_clip(amass(tmp_path / "a.npz", betas=np.array([first] + [0.0] * 9)))
        heights.append(clip.size.height)
        assert any(
            "approximate" in note and "body_model" in note for note in clip.notes
        )
    assert np.diff(heights) == pytest.approx(0.2, rel=0.1)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("v_template", None),
        ("v_template", np.zeros((5, 2))),
        ("v_template", np.full((137, 3), np.nan)),
        ("v_template", np.full((137, 3), 900.0)),
        ("shapedirs", np.zeros((3, 3))),
        ("J_regressor", np.zeros((3, 137))),
        ("J_regressor", np.zeros((24, 7))),
        ("J_regressor", np.array(["a"])),
    ],
)
def test_wrong_models_are_one_line_that_names_the_key(
    key: str, value: Any, tmp_path: Path, amass: Amass
) -> None:
    arrays: dict[str, Any] = {**model_arrays(), key: value}
    if value is None:
        del arrays[key]
    np.savez(tmp_path / "m.npz", **arrays)
    path = amass(tmp_path / "a.npz", betas=np.zeros(10))
    with pytest.raises(TelexistError, match=key) as caught:
        read_clip(path, ReadOptions(body_model="m.npz"))
    assert "\n" not in str(caught.value) and "m.npz" in str(caught.value)
