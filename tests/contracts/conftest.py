"""A small whole recording of every registered format, by the writers of their tests."""

from __future__ import annotations

import csv
import importlib.util
import json
import pickle
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from telexist.calibration.profile_file import load_profile, profile_text
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.bvh.read_bvh import bvh_skeleton
from telexist.retarget.recordings.npz.clip_file import save_clip
from telexist.retarget.recordings.options import load_options
from telexist.retarget.signals import HumanClip
from telexist.robots.description.library import load_spec, spec_path
from telexist.robots.description.robot_model import load_body
from telexist.teleop.dataset.marks import read_marks
from telexist.teleop.devices.joypad.settings import load_joypad
from telexist.teleop.devices.walk.walk_script import read_script
from telexist.teleop.recording.session_header import start_header
from telexist.teleop.recording.session_recorder import SessionRecorder
from telexist.teleop.session.file import load_session_file

Write = Callable[[Path], Path]
RATE, FRAMES = 20.0, 40
WRITERS = Path(__file__).resolve().parents[1] / "retarget" / "recordings"


def _tests_of(name: str) -> ModuleType:
    """Return a module of tests, whose writers know nothing of the readers."""
    word = "seeds_" + name.replace("/", "_")
    if word not in sys.modules:
        spec = importlib.util.spec_from_file_location(word, WRITERS / f"{name}.py")
        assert spec is not None and spec.loader is not None
        sys.modules[word] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[word])
    return sys.modules[word]


def _short(clip: HumanClip) -> HumanClip:
    parts = {
        name: getattr(clip, name)[:FRAMES]
        for name in (
            *("time", "rotations", "angular_velocities"),
            *("positions", "linear_velocities"),
        )
    }
    return HumanClip(name="a", source="b", size=clip.size, **parts)


def _bvh(path: Path) -> Path:
    words = _tests_of("conftest")
    text = words.BvhBuilder(_short(builtin_clip(RATE)), words.Dialect(unit=1.0)).text()
    path.write_text(text, encoding="utf-8")
    return path


def _skeleton(path: Path) -> Any:
    return bvh_skeleton(_bvh(path.with_name("seed.bvh")))


def _gltf(path: Path) -> Path:
    stem = path if path.suffix == ".gltf" else path.with_suffix(".glb")
    written = _tests_of("gltf/test_gltf").written(_skeleton(path)).save(stem)
    return Path(written).replace(path)


def _fbx(path: Path) -> Path:
    fbx = _tests_of("fbx/test_fbx")
    joints = fbx.from_bvh(_skeleton(path))
    path.write_bytes(fbx.binary(fbx.document(joints, RATE)))
    return path


def _markers(path: Path) -> Path:
    markers = _tests_of("markers/conftest")
    names, points = markers.markers_on(builtin_clip(RATE), slice(0, FRAMES))
    write = {".c3d": markers.write_c3d, ".trc": markers.write_trc}[path.suffix]
    return Path(write(path, names, points, RATE))


def _landmarks(path: Path) -> Path:
    words = _tests_of("landmarks/test_landmarks")
    clip = _short(builtin_clip(RATE))
    points = words.table(words.places.__wrapped__(clip), 33, centred=True)
    if path.suffix == ".json":
        frames = [{"poseWorldLandmarks": [row]} for row in words.as_tables(points)]
        return Path(words.write_json(path, frames, fps=RATE))
    titles = [f"{a}{k}" for k in range(33) for a in "xyz"]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["time", *titles])
        writer.writerows(
            [t, *p.ravel()] for t, p in zip(clip.time, points, strict=True)
        )
    return path


def _smpl(path: Path) -> Path:
    video, clip = _tests_of("smpl/test_video_results"), _short(builtin_clip(RATE))
    poses = _tests_of("smpl/conftest").smpl_poses(clip)
    if path.suffix == ".pkl":
        path.write_bytes(pickle.dumps(video.wham(poses, clip), protocol=4))
        return path
    with pytest.MonkeyPatch.context() as patch:
        save = video.torch_save.__wrapped__(patch)
        return Path(save(path, video.gvhmr(poses, clip, video.Tensor)))


def _acclaim(path: Path) -> Path:
    bvh = _bvh(path.with_name("seed.bvh"))
    write = _tests_of("acclaim/test_read_amc").as_acclaim
    return Path(write(bvh, path.parent, frames=FRAMES))


def _mvnx(path: Path) -> Path:
    text = _tests_of("mvnx/test_mvnx").mvnx_text(_short(builtin_clip(RATE)))
    path.write_text(text, encoding="utf-8")
    return path


def _npz(path: Path) -> Path:
    save_clip(path, _short(builtin_clip(RATE)))
    return path


def _opensim(path: Path) -> Path:
    words = _tests_of("opensim_motion/test_read_mot")
    path.with_name("model.osim").write_text(words.MODEL, encoding="utf-8")
    return Path(words.small_table(path, degrees=True))


def _session(path: Path) -> Path:
    words, body = _tests_of("../../teleop/recording/conftest"), load_body("icub")
    person = builtin_clip(words.RATE / 3)
    profile = _tests_of("../../calibration/test_profile_file").profile.__wrapped__()
    header = start_header(body, "Ada", fingers=words.FINGERS)
    recorder = SessionRecorder(
        path,
        replace(header, stamp=1000.0),
        configuration="rate = 200\n",
        calibration=profile_text(replace(profile, size=person.size)),
    )
    for tick in words._ticks(Retargeter(body, person.size), person):
        recorder.put(tick)
    recorder.close()
    return path


SEEDS: Mapping[str, Write] = {
    ".amc": _acclaim,
    ".bvh": _bvh,
    **dict.fromkeys((".c3d", ".trc"), _markers),
    **dict.fromkeys((".csv", ".json"), _landmarks),
    ".fbx": _fbx,
    **dict.fromkeys((".glb", ".gltf", ".vrm", ".vrma"), _gltf),
    ".mcap": _session,
    **dict.fromkeys((".mot", ".sto"), _opensim),
    ".mvnx": _mvnx,
    ".npz": _npz,
    **dict.fromkeys((".pkl", ".pt", ".pth"), _smpl),
}


@pytest.fixture(scope="session")
def seeds() -> Mapping[str, Write]:
    """Return suffix to what writes a small whole recording to a path."""
    return SEEDS


def _profile() -> str:
    return str(
        profile_text(
            _tests_of("../../calibration/test_profile_file").profile.__wrapped__()
        )
    )


def _joypad() -> str:
    head = 'number = 0\ndead_zone = 0.1\nforward = "-left_y"\n'
    return head + '[buttons]\na = "engage"\nb = "stop"\n'


def _marks() -> str:
    return json.dumps({f"clip{k}.g1": "keep" for k in range(20)})


def _script() -> str:
    return "0, 0, 0, 0\n5, 0.2, 0, 0 # ahead\n15, 0.2, 0, 0.2\n25, 0, 0, 0\n"


OTHERS: Mapping[str, tuple[Callable[[Path], object], Callable[[], str]]] = {
    "robot.toml": (load_spec, lambda: spec_path("g1").read_text(encoding="utf-8")),
    "session.toml": (load_session_file, lambda: _shipped("careful.toml")),
    "clip.toml": (load_options, lambda: 'rate = 60.0\nunit = 0.01\nup = "z"\n'),
    "anna.toml": (load_profile, _profile),
    "joypad.toml": (load_joypad, _joypad),
    "marks.json": (read_marks, _marks),
    "walk.csv": (read_script, _script),
}
"""What else a stranger may hand over: file to its reader, and a whole text of it."""


def _shipped(name: str) -> str:
    folder = Path(__file__).resolve().parents[2] / "launch_scripts" / "configs"
    return (folder / name).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def others() -> Mapping[str, tuple[Callable[[Path], object], Callable[[], str]]]:
    """Return the readers of other files, each with what writes a whole one."""
    return OTHERS
