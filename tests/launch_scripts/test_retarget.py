from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import CannotWrite
from telexist.retarget.follow import Retargeter, RetargetSettings
from telexist.retarget.recordings import read_clip
from telexist.retarget.results.load import load_motion
from telexist.robots.description import load_robot
from telexist.teleop.batch import work

FAST = ("--jobs", 1, "--no-pictures", "--robot", "human66")


def files(folder: Path) -> set[str]:
    return {p.name for p in folder.rglob("*")} if folder.exists() else set()


def test_kinematic_quality_is_the_engine_and_balanced_says_what_it_cost(
    telexist, clip, tmp_path
) -> None:
    for quality in ("kinematic", "balanced"):
        out = tmp_path / quality
        ran = telexist("retarget", clip, "--out", out, *FAST, "--quality", quality)
        assert ran.code == 0, ran.err
    plain, ahead = (
        json.loads((tmp_path / quality / "raise.human66.json").read_text())
        for quality in ("kinematic", "balanced")
    )
    assert plain["second_pass"] is None
    passed = ahead["second_pass"]
    error = plain["whole_clip"]["limb_direction_error_deg"]["mean"]
    assert passed["before"]["limb_direction_error_deg"] == error
    assert passed["after"]["jerk_rms_rad_s3"] < passed["before"]["jerk_rms_rad_s3"]
    motion = load_motion(tmp_path / "kinematic" / "raise.human66.npz")
    read = read_clip(str(clip))
    engine = Retargeter(load_robot("human66").body, read.size).run(read)
    np.testing.assert_array_equal(motion.joint_positions, engine.joint_positions)


def test_distances_are_those_of_the_engine_and_make_results_anew(
    telexist, bvh, tmp_path
) -> None:
    clip = tmp_path / "lower.bvh"
    clip.write_text(bvh(20, degrees=-6.0), encoding="utf-8")  # into the hip
    read, body = read_clip(str(clip)), load_robot("g1").body
    run = ("retarget", clip, "--out", tmp_path / "out", "--jobs", 1, "--no-pictures")
    run = (*run, "--robot", "g1", "--quality", "kinematic", "--distances")
    found = {}
    for distances in (False, True):
        word = "on" if distances else "off"
        assert "1 done" in telexist(*run, word).out
        assert "1 kept" in telexist(*run, word).out
        found[word] = load_motion(tmp_path / "out" / "lower.g1.npz").joint_positions
        settings = RetargetSettings(distances=distances)
        engine = Retargeter(body, read.size, settings).run(read)
        np.testing.assert_array_equal(found[word], engine.joint_positions)
    assert np.abs(found["on"] - found["off"]).max() > 0.01


def test_clip_becomes_motion_report_and_picture(telexist, clip, tmp_path) -> None:
    out = tmp_path / "out"
    ran = telexist("retarget", clip, "--out", out, "--jobs", 1)
    assert ran.code == 0
    assert files(out) == {"raise.icub.npz", "raise.icub.json", "raise.icub.png"}
    motion = load_motion(out / "raise.icub.npz")
    assert (motion.robot, len(motion.time)) == ("icub", 12)
    report = json.loads((out / "raise.icub.json").read_text())
    assert report["frames"] == 12
    assert report["timing"]["step_time_p50_us"] > 0.0
    assert "raise.bvh: BVH" in ran.err, "what was recognised is shown"
    assert "limbs" in ran.out and "done" in ran.out


def test_formats_are_written_beside_npz(telexist, clip, tmp_path) -> None:
    out = tmp_path / "out"
    ran = telexist("retarget", clip, "--out", out, *FAST, "--format", "csv,gmr,mujoco")
    assert ran.code == 0
    endings = ("npz", "csv", "gmr.pkl", "xml", "json")
    assert files(out) == {f"raise.human66.{ending}" for ending in endings}


def test_unknown_format_is_a_usage_error(telexist, clip, tmp_path) -> None:
    ran = telexist("retarget", clip, "--out", tmp_path / "out", "--format", "csw")
    assert ran.code == 2
    assert "did you mean 'csv'?" in ran.error
    assert not (tmp_path / "out").exists()


def test_mistyped_robot_suggests_the_nearest_and_starts_nothing(
    telexist, clip, tmp_path
) -> None:
    ran = telexist("retarget", clip, "--out", tmp_path / "out", "--robot", "icub,talso")
    assert ran.code == 2
    assert "did you mean 'talos'?" in ran.error
    assert not (tmp_path / "out").exists()


def test_robots_of_one_name_are_refused(telexist, clip, tmp_path) -> None:
    other = tmp_path / "robot.toml"
    other.write_text('extends = "human66"\n', encoding="utf-8")
    ran = telexist("retarget", clip, "--robot", f"human66,{other}")
    assert ran.code == 2
    assert "are both called 'human66'" in ran.error


def test_robot_may_be_a_file(telexist, clip, tmp_path) -> None:
    other = tmp_path / "robot.toml"
    other.write_text('extends = "human66"\nname = "mine"\n', encoding="utf-8")
    out = tmp_path / "out"
    ran = telexist(
        "retarget", clip, "--out", out, "--jobs", 1, "--no-pictures", "--robot", other
    )
    assert ran.code == 0
    assert "raise.mine.npz" in files(out)


@pytest.mark.parametrize("where", ["a_file", "below_a_file", "proc"])
def test_unwritable_folder_is_found_before_the_work(
    telexist, clip, tmp_path, where
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    out = {
        "a_file": tmp_path / "file",
        "below_a_file": tmp_path / "file" / "out",
        "proc": Path("/proc/telexist"),
    }[where]
    if where == "proc" and not Path("/proc").exists():
        pytest.skip("no /proc on this system")
    ran = telexist("retarget", clip, "--out", out, *FAST)
    assert ran.code == 2
    assert f"--out {out}: cannot be written" in ran.error
    assert len(ran.err.splitlines()) == 1


def test_full_disk_fails_the_clip_and_leaves_nothing(telexist, clip, tmp_path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", str(disk)]
    if (
        not shutil.which("mount")
        or subprocess.run(mount, capture_output=True).returncode
    ):
        pytest.skip("no right to mount a small disk here")
    try:
        ran = telexist("retarget", clip, "--out", disk / "out", "--jobs", 1)
        left = files(disk / "out")
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert ran.code == 1
    assert "No space left on device" in ran.err
    assert left == set()


def test_failed_write_takes_the_rest_of_its_result_along(
    telexist, clip, tmp_path, monkeypatch
) -> None:
    written = []

    def full(folder: Path, stem: str, *rest: object, **more: object) -> None:
        (folder / f"{stem}.npz").write_bytes(b"whole")
        written.append(stem)
        raise CannotWrite(f"{folder / stem}.csv: No space left on device")

    monkeypatch.setattr(work, "save_motion", full)
    out = tmp_path / "out"
    ran = telexist("retarget", clip, "--out", out, *FAST)
    assert ran.code == 1
    assert written == ["raise.human66"]
    assert "No space left on device" in ran.err
    assert files(out) == set()


def test_one_bad_clip_does_not_stop_the_others(telexist, clip, tmp_path) -> None:
    (tmp_path / "bad.bvh").write_bytes(b"\x00\xffgarbage")
    out = tmp_path / "out"
    ran = telexist("retarget", tmp_path, "--out", out, *FAST)
    assert ran.code == 1
    assert "bad.bvh" in ran.err
    assert files(out) == {"raise.human66.npz", "raise.human66.json"}
    assert "1 done, 1 failed" in ran.out


BAD = {
    "empty": lambda text: "",
    "truncated header": lambda text: text[:300],
    "truncated motion": lambda text: text[:-40],
    "no frames": lambda text: text.replace("Frames: 12", "Frames: 0"),
    "wrong channel count": lambda text: text.replace("CHANNELS 3", "CHANNELS 4", 1),
    "NaN": lambda text: text.replace("92.0000", "nan", 1),
    "infinite": lambda text: text.replace("92.0000", "1e999", 1),
    "absurd frame time": lambda text: text.replace("Frame Time: 0.03", "Frame Time: -"),
    "binary garbage": lambda text: "\x00\x01\x02" * 400,
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_recordings_get_one_line_that_names_them(
    telexist, bvh, tmp_path, kind
) -> None:
    path = tmp_path / "bad.bvh"
    path.write_text(BAD[kind](bvh()), encoding="utf-8")
    out = tmp_path / "out"
    ran = telexist("retarget", path, "--out", out, *FAST)
    assert ran.code == 1
    (line,) = [x for x in ran.err.splitlines() if "failed" in x]
    assert str(path) in line
    assert "unexpected" not in line, line
    assert files(out) == set()


BOMB = """<?xml version="1.0"?>
<!DOCTYPE mvnx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>
<mvnx version="4"><comment>&c;</comment></mvnx>
"""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bomb.mvnx", BOMB.encode()),
        ("empty.mvnx", b""),
        ("cut.mvnx", b'<?xml version="1.0"?><mvnx version="4"><subject>'),
        ("garbage.npz", b"PK\x03\x04" + bytes(range(256))),
        ("empty.npz", b""),
    ],
)
def test_bad_files_of_other_formats_get_one_line(
    telexist, tmp_path, name, content
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    out = tmp_path / "out"
    ran = telexist("retarget", path, "--out", out, *FAST)
    assert ran.code == 1
    (line,) = ran.err.splitlines()
    assert str(path) in line
    assert "unexpected" not in line, line
    assert files(out) == set()


def test_one_frame_gives_one_frame_or_one_line(telexist, bvh, tmp_path) -> None:
    path = tmp_path / "one.bvh"
    path.write_text(bvh(1), encoding="utf-8")
    out = tmp_path / "out"
    ran = telexist("retarget", path, "--out", out, "--jobs", 1)
    assert "unexpected" not in ran.err
    if ran.code == 0:
        assert len(load_motion(out / "one.icub.npz").time) == 1
    else:
        assert (ran.code, files(out)) == (1, set())


@pytest.mark.parametrize("name", ["nothing.bvh", "folder", "walk.avi", "none"])
def test_wrong_paths_are_usage_errors(telexist, tmp_path, name) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "walk.avi").write_bytes(b"")
    path = tmp_path / name
    ran = telexist("retarget", path, "--out", tmp_path / "out")
    assert ran.code == 2
    assert str(path) in ran.error
    assert not (tmp_path / "out").exists()


def test_folders_give_their_recordings_but_not_results(
    telexist, clip, tmp_path
) -> None:
    assert telexist("retarget", clip, "--out", tmp_path / "out", *FAST).code == 0
    ran = telexist("retarget", tmp_path, "--out", tmp_path / "again", *FAST)
    assert ran.code == 0
    assert files(tmp_path / "again") == {"raise.human66.npz", "raise.human66.json"}


def test_pipes_are_not_read(telexist, clip, tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe.bvh")
    ran = telexist("retarget", tmp_path, "--out", tmp_path / "out", *FAST)
    assert ran.code == 0
    assert files(tmp_path / "out") == {"raise.human66.npz", "raise.human66.json"}
    ran = telexist("retarget", tmp_path / "pipe.bvh", "--out", tmp_path / "out")
    assert ran.code == 2
    assert "not a file" in ran.error


def test_long_names_stay_whole_where_there_is_no_terminal(
    telexist, clip, tmp_path
) -> None:
    path = clip.with_stem("a_recording_with_a_name_of_more_than_forty_letters")
    clip.rename(path)
    ran = telexist("retarget", path, "--out", tmp_path, *FAST)
    assert any(row.startswith(f"{path.stem} ") for row in ran.out.splitlines())


@pytest.mark.parametrize("cached", [True, False])
def test_first_run_says_that_it_compiles(
    telexist, clip, tmp_path, monkeypatch, cached
) -> None:
    monkeypatch.setattr(
        "telexist.launch_scripts.terminal.first_run.is_cached", lambda: cached
    )
    ran = telexist("retarget", clip, "--out", tmp_path, *FAST)
    assert ("compiling the engine" in ran.err) != cached
    again = telexist("retarget", clip, "--out", tmp_path, *FAST)
    assert "compiling" not in again.err, "nothing is left to do"


def test_first_run_compiles_in_one_process_only(
    telexist, bvh, tmp_path, monkeypatch
) -> None:
    for name in "abc":
        (tmp_path / f"{name}.bvh").write_text(bvh(5), encoding="utf-8")
    spread: list[str] = []

    def in_processes(units, processes, on_frames):
        spread.extend(job.clip.name for unit in units for job in unit)
        return iter(())

    monkeypatch.setattr("telexist.teleop.batch.run.is_cached", lambda: False)
    monkeypatch.setattr("telexist.teleop.batch.run._run_in_processes", in_processes)
    telexist("retarget", tmp_path, "--out", tmp_path / "out", *FAST, "--jobs", 2)
    assert files(tmp_path / "out") == {"a.human66.npz", "a.human66.json"}
    assert spread == ["b", "c"]


def test_result_is_refused_as_a_clip(telexist, clip, tmp_path) -> None:
    telexist("retarget", clip, "--out", tmp_path, *FAST)
    ran = telexist("retarget", tmp_path / "raise.human66.npz")
    assert ran.code == 2
    assert "robot's motion" in ran.error


def test_equal_names_do_not_meet(telexist, bvh, tmp_path) -> None:
    for folder, frames in (("a", 5), ("b", 7)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "walk.bvh").write_text(bvh(frames), encoding="utf-8")
    out = tmp_path / "out"
    ran = telexist("retarget", tmp_path / "a", tmp_path / "b", "--out", out, *FAST)
    assert ran.code == 0
    for name, frames in (("a_walk", 5), ("b_walk", 7)):
        assert len(load_motion(out / f"{name}.human66.npz").time) == frames


def test_result_of_another_recording_is_not_replaced(telexist, bvh, tmp_path) -> None:
    out = tmp_path / "out"
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "walk.bvh").write_text(bvh(5), encoding="utf-8")
    assert telexist("retarget", tmp_path / "a", "--out", out, *FAST).code == 0
    before = (out / "walk.human66.json").read_bytes()
    ran = telexist("retarget", tmp_path / "b", "--out", out, *FAST)
    assert ran.code == 1
    assert "another recording" in ran.err
    assert (out / "walk.human66.json").read_bytes() == before
    again = telexist("retarget", tmp_path / "b", "--out", out, *FAST, "--overwrite")
    assert again.code == 0


def test_second_run_keeps_results_until_something_changes(
    telexist, clip, bvh, tmp_path
) -> None:
    out = tmp_path / "out"
    run = ("retarget", clip, "--out", out, *FAST)
    assert "1 done" in telexist(*run).out
    kept = telexist(*run)
    assert "1 kept" in kept.out and "kept" in kept.err
    assert "1 done" in telexist(*run, "--overwrite").out
    assert "1 done" in telexist(*run, "--format", "csv").out
    assert "1 kept" in telexist(*run).out
    (out / "raise.human66.npz").unlink()
    assert "1 done" in telexist(*run).out
    clip.write_text(bvh(9), encoding="utf-8")
    assert "1 done" in telexist(*run).out
    options = tmp_path / "options.toml"
    options.write_text('heading = "keep"\n', encoding="utf-8")
    assert "1 done" in telexist(*run, "--source-config", options).out
    clip.with_suffix(".toml").write_text("rate = 60.0\n", encoding="utf-8")
    assert "1 done" in telexist(*run).out


@pytest.mark.parametrize("text", ["unit = 'cm'\n", "nit = 1.0\n", "= 3\n"])
def test_wrong_source_config_is_a_usage_error(telexist, clip, tmp_path, text) -> None:
    options = tmp_path / "options.toml"
    options.write_text(text, encoding="utf-8")
    ran = telexist("retarget", clip, "--source-config", options)
    assert ran.code == 2
    assert str(options) in ran.error


@pytest.mark.slow
def test_results_do_not_depend_on_jobs(telexist, bvh, tmp_path) -> None:
    for k in range(3):
        (tmp_path / f"clip{k}.bvh").write_text(bvh(10 + k), encoding="utf-8")
    run = ("retarget", tmp_path, "--no-pictures", "--robot", "icub,human66")
    for jobs in (1, 2, 5):
        assert telexist(*run, "--out", tmp_path / str(jobs), "--jobs", jobs).code == 0
    one = sorted((tmp_path / "1").glob("*.npz"))
    assert len(one) == 6
    for path in one:
        for jobs in ("2", "5"):
            assert path.read_bytes() == (tmp_path / jobs / path.name).read_bytes()


@pytest.mark.slow
def test_interruption_leaves_only_whole_results(bvh, tmp_path) -> None:
    for k in range(40):
        (tmp_path / f"clip{k}.bvh").write_text(bvh(60), encoding="utf-8")
    out = tmp_path / "out"
    code = "import runpy; runpy.run_module('telexist', run_name='__main__')"
    arguments = ["retarget", str(tmp_path), "--out", str(out), "--jobs", "2"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # a shell that runs the tests in the background has them ignore Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    end = time.monotonic() + 300.0  # compiling takes its time on a busy machine
    while not list(out.glob("*.json")) and time.monotonic() < end:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal's Ctrl-C does
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert errors.rstrip().endswith("telexist: interrupted")
    done = {name.removesuffix(".json") for name in files(out) if name.endswith("json")}
    assert 0 < len(done) < 40
    endings = ("npz", "png", "json")
    assert files(out) == {f"{stem}.{ending}" for stem in done for ending in endings}


def test_failure_before_writing_keeps_an_older_result(
    telexist, clip, tmp_path, monkeypatch
) -> None:
    out = tmp_path / "out"
    assert telexist("retarget", clip, "--out", out, *FAST).code == 0
    before = {path: path.read_bytes() for path in out.iterdir()}

    def broken(*_: object, **__: object) -> None:
        raise CannotWrite("broken")

    monkeypatch.setattr(work, "make_report", broken)
    assert telexist("retarget", clip, "--out", out, *FAST, "--overwrite").code == 1
    assert {path: path.read_bytes() for path in out.iterdir()} == before


@pytest.mark.slow
def test_process_that_dies_fails_only_its_clip(
    telexist, bvh, tmp_path, monkeypatch
) -> None:
    for k in range(3):
        (tmp_path / f"clip{k}.bvh").write_text(bvh(6), encoding="utf-8")
    (tmp_path / "sitecustomize.py").write_text(
        "import os\n"
        "import telexist.retarget.recordings as f\n"
        "real = f.read_clip\n"
        "def read_clip(path, options=None):\n"
        "    if str(path).endswith('clip1.bvh'): os._exit(9)\n"
        "    return real(path, options)\n"
        "f.read_clip = read_clip\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    out = tmp_path / "out"
    ran = telexist("retarget", tmp_path, "--out", out, "--jobs", 2, "--no-pictures")
    assert ran.code == 1
    assert "clip1" in ran.err and "the process died" in ran.err
    assert {p.name for p in out.glob("*.npz")} == {
        "clip0.icub.npz",
        "clip2.icub.npz",
    }


@pytest.mark.slow
def test_builtin_needs_no_file(telexist, tmp_path) -> None:
    ran = telexist("retarget", "builtin", "--out", tmp_path, "--jobs", 1)
    assert ran.code == 0
    motion = load_motion(tmp_path / "builtin.icub.npz")
    assert motion.time[-1] > 20.0
    assert np.isfinite(motion.joint_positions).all()
    assert (tmp_path / "builtin.icub.png").read_bytes().startswith(b"\x89PNG")
