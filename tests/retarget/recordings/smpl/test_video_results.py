"""Results of GVHMR, WHAM and PromptHMR: the motion of an AMASS file of the same person.

PyTorch is not needed to write its files either: its pickles name two functions and a
class for each type of number, which stand-ins of the same names give.
"""

from __future__ import annotations

import io
import pickle
import sys
import types
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import BadRecording, TelexistError
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.recordings.options import ReadOptions
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import exp_so3, log_so3, rotation_x

Amass = Callable[..., Path]


class Tensor:
    """Stands for one of PyTorch: an array that is saved as a view of a storage."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array


class Storage:
    def __init__(self, kind: type, data: np.ndarray) -> None:
        self.kind, self.data = kind, data


@pytest.fixture
def torch_save(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, Any], Path]:
    """Return a `torch.save`: layout of PyTorch 1.6 and later."""
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")

    def rebuild(*arguments: object) -> None:
        raise AssertionError("nobody may call what a pickle names")

    rebuild.__module__ = "torch._utils"
    rebuild.__qualname__ = rebuild.__name__ = "_rebuild_tensor_v2"
    utils._rebuild_tensor_v2 = rebuild  # type: ignore[attr-defined]
    kinds = {}
    for name, code in (("Float", "f4"), ("Double", "f8"), ("Long", "i8")):
        kind = type(f"{name}Storage", (), {"__module__": "torch"})
        setattr(torch, kind.__name__, kind)
        kinds[np.dtype(code)] = kind
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch._utils", utils)

    class TorchPickler(pickle.Pickler):
        def __init__(self, file: io.BytesIO, data: list[np.ndarray]) -> None:
            super().__init__(file, protocol=2)
            self.data = data

        def reducer_override(self, value: object) -> Any:
            if not isinstance(value, Tensor):
                return NotImplemented
            array = value.array
            # transposed in the storage: strides must be believed
            whole = np.concatenate([np.zeros(5, array.dtype), array.ravel(order="F")])
            strides = [1]
            for n in array.shape[:-1]:
                strides.append(strides[-1] * n)
            storage = Storage(kinds[array.dtype], whole)
            shape = tuple(int(n) for n in array.shape)
            return rebuild, (
                *(storage, 5, shape, tuple(strides[: array.ndim])),
                *(False, OrderedDict()),
            )

        def persistent_id(self, value: object) -> Any:
            if not isinstance(value, Storage):
                return None
            self.data.append(value.data)
            key = str(len(self.data) - 1)
            return ("storage", value.kind, key, "cuda:0", len(value.data))

    def save(path: Path, value: Any) -> Path:
        file, data = io.BytesIO(), []  # type: ignore[var-annotated]
        TorchPickler(file, data).dump(value)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("archive/data.pkl", file.getvalue())
            archive.writestr("archive/byteorder", b"little")
            for key, numbers in enumerate(data):
                archive.writestr(f"archive/data/{key}", numbers.tobytes())
            archive.writestr("archive/version", b"3\n")
        return path

    return save


def y_up(poses: np.ndarray, trans: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Turn a motion from z up to y up."""
    R = rotation_x(-np.pi / 2)
    with np.errstate(invalid="ignore"):
        root = log_so3(R @ exp_so3(poses[:, :3]))
    return np.concatenate([root, poses[:, 3:]], axis=1), trans @ R.T


def gvhmr(poses: np.ndarray, clip: HumanClip, wrap: Callable[..., Any]) -> Any:
    """Return what GVHMR saves; in the camera's table there is nonsense."""
    turned, way = y_up(poses, clip.positions[:, 0])
    t = len(clip)

    def table(poses: np.ndarray, way: np.ndarray) -> dict[str, Any]:
        return {
            "body_pose": wrap(poses[:, 3:66].astype(np.float32)),
            "betas": wrap(np.zeros((t, 10), np.float32)),
            "global_orient": wrap(poses[:, :3].astype(np.float32)),
            "transl": wrap(way.astype(np.float32)),
        }

    return {
        "smpl_params_incam": table(np.zeros_like(poses), way),
        "smpl_params_global": table(turned, way),
        "K_fullimg": wrap(np.tile(np.eye(3, dtype=np.float32), (t, 1, 1))),
        "net_outputs": {"frames": wrap(np.arange(4)), "model": OrderedDict(a=None)},
    }


def same(back: HumanClip, whole: HumanClip, tolerance: float = 1e-5) -> None:
    assert len(back) == len(whole)
    assert np.abs(back.rotations - whole.rotations).max() < tolerance
    assert np.abs(back.positions - whole.positions).max() < tolerance


def test_a_result_of_gvhmr_is_the_same_motion(
    tmp_path: Path, torch_save: Any, amass: Amass, clip: HumanClip, poses: np.ndarray
) -> None:
    path = torch_save(tmp_path / "hmr4d_results.pt", gvhmr(poses, clip, Tensor))
    back = read_clip(path, ReadOptions(rate=20.0))
    same(back, read_clip(amass(tmp_path / "a.npz", betas=np.zeros(10))))
    assert any("smpl_params_global" in note for note in back.notes)
    assert read_clip(path).rate == pytest.approx(30.0)


def test_arrays_of_gvhmr_in_an_archive(
    tmp_path: Path, amass: Amass, clip: HumanClip, poses: np.ndarray
) -> None:
    table = gvhmr(poses, clip, np.array)["smpl_params_global"]
    np.savez(tmp_path / "g.npz", **table)
    back = read_clip(tmp_path / "g.npz", ReadOptions(rate=20.0))
    same(back, read_clip(amass(tmp_path / "a.npz", betas=np.zeros(10))))


@pytest.mark.parametrize("shape", ["axis angles", "matrices", "a batch of one"])
def test_rotations_in_other_shapes(
    shape: str,
    tmp_path: Path,
    amass: Amass,
    clip: HumanClip,
    poses: np.ndarray,
) -> None:
    t = len(clip)
    root, body = poses[:, :3], poses[:, 3:66]
    pair = {
        "axis angles": (root.reshape(t, 1, 3), body.reshape(t, 21, 3)),
        "matrices": (exp_so3(root), exp_so3(body.reshape(t, 21, 3))),
        "a batch of one": (root[None], body[None]),
    }[shape]
    table = dict(zip(("global_orient", "body_pose"), pair, strict=True))
    np.savez(tmp_path / "g.npz", transl=clip.positions[:, 0], **table)
    back = read_clip(tmp_path / "g.npz", ReadOptions(rate=20.0))
    same(back, read_clip(amass(tmp_path / "a.npz")), 1e-6)


def wham(poses: np.ndarray, clip: HumanClip) -> Any:
    """Return what WHAM saves: a person a number; the second one is seen briefly."""
    turned, way = y_up(np.pad(poses, ((0, 0), (0, 6))), clip.positions[:, 0])
    t = len(clip)
    person = {
        "pose": np.zeros((t, 72), np.float32),
        "trans": np.zeros((t, 3), np.float32),
        "pose_world": turned.astype(np.float32),
        "trans_world": way.astype(np.float32),
        "betas": np.zeros((t, 10), np.float32),
        "verts": np.zeros((t, 5, 3), np.float32),
        "frame_ids": np.arange(t) * 2 + 7,
    }
    return {1: {k: v[:10] for k, v in person.items()}, 3: person}


@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_a_result_of_wham_is_the_same_motion(
    protocol: int, tmp_path: Path, amass: Amass, clip: HumanClip, poses: np.ndarray
) -> None:
    path = tmp_path / "wham_output.pkl"
    path.write_bytes(pickle.dumps(wham(poses, clip), protocol=protocol))
    back = read_clip(path, ReadOptions(rate=40.0))
    same(back, read_clip(amass(tmp_path / "a.npz", betas=np.zeros(10))))
    assert back.rate == pytest.approx(20.0), "every second frame of the video"
    assert any("2 people" in note for note in back.notes)


def test_what_joblib_wrote_is_the_same(
    tmp_path: Path, amass: Amass, clip: HumanClip, poses: np.ndarray
) -> None:
    joblib = pytest.importorskip("joblib", reason="joblib writes WHAM's results")
    path = tmp_path / "wham_output.pkl"
    joblib.dump(wham(poses, clip), path)
    back = read_clip(path, ReadOptions(rate=40.0))
    same(back, read_clip(amass(tmp_path / "a.npz", betas=np.zeros(10))))
    cut = path.read_bytes()
    for size in (100, len(cut) // 2, len(cut) - 1):
        path.write_bytes(cut[:size])
        with pytest.raises(BadRecording, match="damaged"):
            read_clip(path)
    joblib.dump(wham(poses, clip), path, compress=3)
    with pytest.raises(BadRecording, match="without compression"):
        read_clip(path)


def test_a_result_of_prompthmr_is_the_same_motion(
    tmp_path: Path, amass: Amass, clip: HumanClip, poses: np.ndarray
) -> None:
    turned, way = y_up(np.pad(poses, ((0, 0), (0, 99))), clip.positions[:, 0])
    world = {"pose": turned, "trans": way, "shape": np.zeros((len(clip), 10))}
    camera = {**world, "pose": np.zeros_like(turned)}
    people = {"1": {"smplx_cam": camera, "smplx_world": world, "track_id": 1}}
    path = tmp_path / "results.pkl"
    path.write_bytes(pickle.dumps({"people": people, "camera": {"img_focal": 1.0}}))
    back = read_clip(path, ReadOptions(rate=20.0))
    same(back, read_clip(amass(tmp_path / "a.npz", betas=np.zeros(10))))


class Trap:
    """What an attacker would save."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return Path.touch, (self.place,)


def test_nothing_in_a_pickle_is_run(
    tmp_path: Path, torch_save: Any, clip: HumanClip, poses: np.ndarray
) -> None:
    marker = tmp_path / "was_run"
    value = {**wham(poses, clip)[3], "note": Trap(marker)}
    path = tmp_path / "trap.pkl"
    path.write_bytes(pickle.dumps(value))
    assert len(read_clip(path)) == len(clip)
    both = {**gvhmr(poses, clip, Tensor), "note": Trap(marker)}
    assert len(read_clip(torch_save(tmp_path / "trap.pt", both))) == len(clip)
    assert not marker.exists()
    pickle.loads(path.read_bytes())
    assert marker.exists(), "the trap works where pickles are obeyed"


def test_files_without_a_motion_say_what_is_missing(
    tmp_path: Path, torch_save: Any
) -> None:
    path = torch_save(tmp_path / "a.pt", {"weights": Tensor(np.zeros((3, 3)))})
    with pytest.raises(BadRecording, match="no SMPL motion"):
        read_clip(path)
    table = {
        "global_orient": Tensor(np.zeros((4, 3))),
        "body_pose": Tensor(np.zeros((4, 63))),
    }
    with pytest.raises(BadRecording, match="p/trans: missing"):
        read_clip(torch_save(tmp_path / "b.pt", {"p": table}))
    (tmp_path / "c.pt").write_bytes(b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.")
    with pytest.raises(BadRecording, match=r"before 1\.6"):
        read_clip(tmp_path / "c.pt")
    with zipfile.ZipFile(tmp_path / "d.pt", "w") as archive:
        archive.writestr("x/data.pkl", pickle.dumps(1))
        archive.writestr("x/constants.pkl", pickle.dumps(1))
    with pytest.raises(BadRecording, match="TorchScript"):
        read_clip(tmp_path / "d.pt")


def test_views_beyond_their_storage_are_refused(
    tmp_path: Path, torch_save: Any
) -> None:
    table = {"poses": Tensor(np.zeros((9, 66))), "trans": Tensor(np.zeros((9, 3)))}
    path = torch_save(tmp_path / "a.pt", table)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["archive/data/0"] = parts["archive/data/0"][:-8]
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    with pytest.raises(BadRecording, match="no SMPL motion"):
        read_clip(path)


def test_mutated_files_are_read_or_refused_in_one_line(
    tmp_path: Path, torch_save: Any, clip: HumanClip, poses: np.ndarray
) -> None:
    few = {k: v[:6] for k, v in wham(poses, clip)[3].items() if k != "verts"}
    tensors = {k: Tensor(v[:6].astype(np.float32)) for k, v in few.items()}
    whole = {
        "a.pkl": pickle.dumps(few, protocol=2),
        "a.pt": torch_save(tmp_path / "whole.pt", tensors).read_bytes(),
    }
    rng = np.random.default_rng(3)
    read = 0
    for name, content in whole.items():
        for _ in range(250):
            bad = bytearray(content)
            # the pickles are small beside the numbers: aim at them
            at = rng.integers(0, min(len(bad), 1500), rng.integers(1, 6))
            for k in at:
                bad[k] = rng.integers(0, 256)
            if rng.random() < 0.3:
                del bad[rng.integers(0, len(bad)) :]
            (tmp_path / name).write_bytes(bad)
            try:
                read_clip(tmp_path / name)
                read += 1
            except TelexistError as error:
                assert "\n" not in str(error) and name in str(error)
    assert read < 450
