"""The robot's eyes: what two of them see, and meshes with fewer faces."""

from __future__ import annotations

import multiprocessing

import mujoco
import numpy as np
import pytest
from telexist.retarget.errors import BadInput, ModelNotFound
from telexist.robots.base import CameraWishes
from telexist.robots.description import load_robot, robot_files
from telexist.robots.mujoco import build_mujoco
from telexist.robots.mujoco.camera import (
    BACKENDS,
    OPEN,
    CameraSettings,
    render_pictures,
)
from telexist.robots.mujoco.camera.camera_process import EYES_APART, TILT
from telexist.robots.mujoco.camera.coarse_meshes import MOST_FACES, coarsen_meshes
from telexist.robots.mujoco.camera.eyes import eye_places

LONG = 120.0  # [s] to load meshes, on a busy machine


def picture(settings: CameraSettings, qpos: np.ndarray) -> np.ndarray:
    """Return what a process that renders answers; skip where nothing renders."""
    spawn = multiprocessing.get_context("spawn")
    for backend in BACKENDS:
        ours, theirs = spawn.Pipe()
        process = spawn.Process(
            target=render_pictures, args=(settings, backend, theirs), daemon=True
        )
        process.start()
        theirs.close()
        try:
            if not ours.poll(LONG) or ours.recv_bytes()[:1] != OPEN:
                continue
            ours.send_bytes(qpos.tobytes())
            assert ours.poll(LONG)
            pixels = np.frombuffer(ours.recv_bytes(), dtype=np.uint8, offset=1)
            return pixels.reshape(settings.shape)
        except EOFError:
            continue
        finally:
            ours.close()
            process.join(LONG)
    pytest.skip("nothing here renders")


@pytest.mark.slow
def test_two_eyes_see_the_floor_as_far_apart_as_they_are() -> None:
    robot = load_robot("icub")
    settings = CameraSettings(
        files=robot_files(robot), mount="pole", width=320, height=240, stereo=True
    )
    scene = build_mujoco(robot, mount="pole")
    data = mujoco.MjData(scene.model)
    mujoco.mj_forward(scene.model, data)
    seen = picture(settings, np.array(data.qpos)).astype(float).sum(axis=2)
    assert seen.shape == (240, 640)
    camera = scene.model.camera("head").id
    height = float(data.cam_xpos[camera][2])
    focal = 120.0 / np.tan(np.radians(scene.model.cam_fovy[camera]) / 2.0)
    shifts = np.arange(0, 40)
    wrong = []
    for row in range(150, 235, 5):
        down = TILT + np.arctan((row + 0.5 - 120.0) / focal)
        depth = height / np.sin(down) * np.cos(down - TILT)
        expected = focal * EYES_APART / depth
        left, right = seen[row, :320], seen[row, 320:]
        costs = [np.abs(left[40:] - right[40 - k : 320 - k]).mean() for k in shifts]
        if np.ptp(left) > 20.0 and abs(shifts[np.argmin(costs)] - expected) > 1.5:
            wrong.append((row, expected, int(shifts[np.argmin(costs)])))
    assert len(wrong) <= 2, wrong  # a row along a line of the tiles tells nothing


def test_a_model_without_eyes_has_those_of_a_person() -> None:
    robot = load_robot("icub")
    assert eye_places(robot, robot.spec.links["Head"]) is None


@pytest.mark.parametrize("name", ["jvrc1", "romeo"])
def test_eyes_of_a_model_are_beside_each_other(name: str) -> None:
    try:
        robot = load_robot(name)
    except ModelNotFound:
        pytest.skip("its model is not on this machine")
    places = eye_places(robot, robot.spec.links["Head"])
    assert places is not None
    left, right = places
    assert 0.05 < float(np.linalg.norm(left - right)) < 0.08


def test_coarse_meshes_have_fewer_faces_in_the_same_place() -> None:
    model = build_mujoco(load_robot("icub"), visuals=True).model
    before = [_corners(model, mesh) for mesh in range(model.nmesh)]
    coarsen_meshes(model)
    assert int(model.mesh_facenum.max()) <= MOST_FACES
    changed = 0
    for mesh, old in enumerate(before):
        new = _corners(model, mesh)
        if len(new) < len(old):
            changed += 1
            size = np.ptp(old, axis=0).max()
            assert np.abs(new.min(axis=0) - old.min(axis=0)).max() < 0.1 * size
            assert np.abs(new.max(axis=0) - old.max(axis=0)).max() < 0.1 * size
            rows = {tuple(row) for row in old}
            assert all(tuple(row) in rows for row in new)  # no corner is new
    assert changed > 5


def _corners(model: mujoco.MjModel, mesh: int) -> np.ndarray:
    begin, first = model.mesh_vertadr[mesh], model.mesh_faceadr[mesh]
    faces = model.mesh_face[first : first + model.mesh_facenum[mesh]]
    return model.mesh_vert[begin + faces.ravel()]


@pytest.mark.parametrize(
    "wrong", [{"width": 0}, {"height": 5000}, {"rate": 0.0}, {"rate": float("nan")}]
)
def test_wishes_that_no_camera_has_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput, match=r"camera\."):
        CameraWishes(**wrong)  # type: ignore[arg-type]
