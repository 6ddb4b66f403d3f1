"""A trainer's own loader reads our files, in an environment of its own.

mjlab wants another version of MuJoCo than ours, so it is asked in another process:

    python -m venv mjlab && mjlab/bin/pip install torch==2.13.0 mjlab==1.6.0
    export TELEXIST_MJLAB=mjlab/bin/python

With TELEXIST_INSTALL_LOADERS=1 the test makes this environment itself; it takes
minutes and a gigabyte.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from telexist.retarget.errors import ModelNotFound
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.kinematics import Configuration
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.results import save_motion
from telexist.retarget.signals import RobotMotion
from telexist.robots.description import RobotModel, load_robot, model_tree

pytestmark = pytest.mark.slow

PACKAGES = {"mjlab": ("torch==2.13.0", "mjlab==1.6.0")}
METRES, QUATERNION, SPEED = 1e-5, 1e-6, 1e-3  # [m], of a unit, [m/s]
EVERY = 40  # frames, of which one is looked at
MJLAB = """
import sys
import numpy as np, torch
from mjlab.tasks.tracking.mdp.commands import MotionLoader
bodies = torch.arange(int(sys.argv[3]))
m = MotionLoader(sys.argv[1], bodies)
names = ("joint_pos", "joint_vel", "body_pos_w", "body_quat_w", "body_lin_vel_w",
         "body_ang_vel_w")
np.savez(sys.argv[2], **{name: getattr(m, name).numpy() for name in names})
"""


@pytest.fixture(scope="module")
def python_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Return a function from a loader to a Python that has it."""

    def find(name: str) -> str:
        named = os.environ.get(f"TELEXIST_{name.upper()}", "")
        if named:
            return named
        if not os.environ.get("TELEXIST_INSTALL_LOADERS"):
            pytest.skip(f"no environment with {name}: set TELEXIST_{name.upper()}")
        folder = tmp_path_factory.mktemp(name)
        python = folder / "bin" / "python"
        make = [sys.executable, "-m", "venv", str(folder)]
        install = [str(python), "-m", "pip", "install", "-q", *PACKAGES[name]]
        for command in (make, install):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip(f"{name} cannot be installed: {done.stderr[-300:]}")
        return str(python)

    return find


@pytest.fixture(scope="module")
def g1() -> RobotModel:
    try:
        return load_robot("g1")
    except ModelNotFound as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def motion(g1: RobotModel) -> RobotMotion:
    clip = builtin_clip()
    return Retargeter(g1.body, clip.size).run(clip)


def loaded(python: str, program: str, file: Path, *words: str) -> dict[str, Any]:
    """Return what a loader makes of a file."""
    out = file.with_suffix(".loaded.npz")
    plain = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [python, "-c", program, str(file), str(out), *words],
        capture_output=True,
        text=True,
        check=False,
        env=plain,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    with np.load(out) as found:
        return {key: found[key] for key in found.files}


def turned(quat_wxyz: np.ndarray) -> np.ndarray:
    return Rotation.from_quat(quat_wxyz, scalar_first=True).as_matrix()


def test_mjlab_reads_where_every_body_is_and_how_it_moves(
    python_of: Callable[[str], str],
    g1: RobotModel,
    motion: RobotMotion,
    tmp_path: Path,
) -> None:
    python, tree = python_of("mjlab"), model_tree(g1)
    (file,) = [
        path
        for path in save_motion(tmp_path, "clip", motion, ("mjlab",), model=tree)
        if path.name.endswith(".mjlab.npz")
    ]
    seen = loaded(python, MJLAB, file, str(len(tree.bodies)))
    kinematics, bodies = g1.body.kinematics, tree.depth_first_bodies()
    joints = [tree.joints[body - 1] for body in bodies[1:]]
    order = [joints.index(name) for name in kinematics.joints]
    frames = [kinematics.frame(tree.bodies[body]) for body in bodies]
    length = float(motion.time[-1] - motion.time[0])
    assert len(seen["joint_pos"]) == pytest.approx(50.0 * length, abs=2)
    for k in range(0, len(seen["joint_pos"]), EVERY):
        base, q = turned(seen["body_quat_w"][k, 0]), seen["joint_pos"][k, order]
        place = seen["body_pos_w"][k, 0].astype(float)
        kinematics.update(
            Configuration(world_p_base=place, world_R_base=base, q=q.astype(float))
        )
        apart = seen["body_pos_w"][k] - kinematics.positions(frames)
        assert np.abs(apart).max() < METRES
        ours = Rotation.from_matrix(kinematics.rotations(frames)).as_quat()
        theirs = seen["body_quat_w"][k][:, [1, 2, 3, 0]]
        same = np.sign((ours * theirs).sum(axis=1, keepdims=True))
        assert np.abs(theirs - same * ours).max() < QUATERNION
        twist = np.concatenate(
            [
                seen["body_lin_vel_w"][k, 0],
                seen["body_ang_vel_w"][k, 0],
                seen["joint_vel"][k, order],
            ]
        ).astype(float)
        for i, frame in enumerate(frames):
            v = kinematics.jacobian(frame) @ twist
            both = seen["body_lin_vel_w"][k, i], seen["body_ang_vel_w"][k, i]
            assert np.abs(v - np.concatenate(both)).max() < SPEED
