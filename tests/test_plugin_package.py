"""The example of a package with plug-ins, built, installed and used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "plugin_package"

USE = """
from pathlib import Path
import sys
import numpy as np
from telexist import load_robot, read_clip
from telexist.robots.backends import BACKENDS, RobotOptions, make_robot
from telexist.teleop import clock
from telexist.teleop.controllers.base import make_controller
from telexist.teleop.devices.base import make_device
from telexist.teleop.terms import RobotReference

device = make_device("metronome:30")
device.open(lambda: None)
assert device.read().walk.vx == 0.1
assert "telexist_example" in type(device).__module__
model = load_robot("human48")
robot = make_robot("obedient", model, RobotOptions(now=clock.now, sleep=clock.sleep))
robot.connect()
state = robot.read_state()
controller = make_controller("statue", model)
controller.reset(state)
asked = RobotReference(stamp=0.0, q=state.q + 0.1, dq=state.dq, ddq=state.dq)
sent = robot.send(controller.step(state, asked, 0.01))
assert np.array_equal(sent.q, np.clip(state.q, model.body.lower, model.body.upper))
Path("slow.tempo").write_text("0.5")
slow, plain = read_clip("slow.tempo"), read_clip("builtin")
assert np.allclose(slow.time[-1], 2.0 * plain.time[-1])
assert list(BACKENDS)[-1] == "obedient"
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder into which the package is installed, without a network."""
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    folder = tmp_path_factory.mktemp("plugins")
    source = shutil.copytree(EXAMPLE, folder / "source")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(site: Path, where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(site), str(ROOT)])
    return subprocess.run(
        [sys.executable, *words],
        cwd=where,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_four_plug_ins_are_found_and_work(site: Path, tmp_path: Path) -> None:
    done = run(site, tmp_path, "-c", USE)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_session_is_made_of_plug_ins_alone(site: Path, tmp_path: Path) -> None:
    (tmp_path / "quick.tempo").write_text("1.5")
    done = run(
        site,
        tmp_path,
        *("-m", "telexist.launch_scripts.telexist", "teleoperate", "--headless"),
        *("--robot", "human48", "--source", "quick.tempo", "--backend", "obedient"),
        *("--controller", "statue", "--walk-input", "metronome", "--duration", "1"),
    )
    assert done.returncode == 0, done.stderr
    assert "metronome at 20" in done.stdout
