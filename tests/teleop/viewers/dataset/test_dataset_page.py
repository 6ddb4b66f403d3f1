"""The page of a set in a real browser, and who may see it."""

from __future__ import annotations

import http.client
import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from telexist.retarget.follow import Retargeter
from telexist.retarget.recordings import read_clip
from telexist.retarget.results import load_motion, save_motion
from telexist.robots.description import load_body
from telexist.teleop.dataset import (
    SHORT,
    DatasetPlace,
    DatasetSettings,
    mark_key,
    read_marks,
    write_rows,
)
from telexist.teleop.viewers.dataset import DatasetPage
from telexist.teleop.viewers.dataset.stick_figure import stick_figure

MANY = 10_000
OPENED = "return document.body.dataset.open === 'yes'"


@pytest.fixture(scope="module")
def motion_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("motion")
    clip, body = read_clip("builtin"), load_body("human66")
    save_motion(folder, "walk.human66", Retargeter(body, clip.size).run(clip))
    return folder / "walk.human66.npz"


def make_set(folder: Path, rows: int, motion: Path) -> DatasetPlace:
    """Write a set whose clips all are the same motion, with figures of their own."""
    place, rng = DatasetPlace(folder), np.random.default_rng(2)
    place.write_settings(DatasetSettings(sources=("x",), robots=("human66",)))
    place.motions.mkdir(parents=True)
    shutil.copy(motion, place.motions / "walk.human66.npz")
    names = [*SHORT, *(f"whole_clip_figure_{k}" for k in range(150))]
    values = np.round(rng.gamma(2.0, 8.0, (rows, len(names))), 3).tolist()
    table = [
        {
            "clip": f"s{k % 97:02}/<b>clip{k}</b>",
            "robot": "human66",
            "status": "done",
            "verdict": "kinematically playable",
            "motion": "walk.human66.npz",
            "frames": 100,
            "duration": 1.0,
            **dict(zip(names, values[k], strict=True)),
        }
        for k in range(rows)
    ]
    table[3]["slide_p95"] = None
    write_rows(place.table, table)
    return place


@pytest.fixture()
def small(
    tmp_path: Path, motion_file: Path
) -> Iterator[tuple[DatasetPlace, DatasetPage]]:
    place = make_set(tmp_path / "set", 20, motion_file)
    page = DatasetPage(place, load_body, host="127.0.0.1", port=0)
    yield place, page
    page.close()


def get(page: DatasetPage, path: str, cookie: str = "") -> tuple[int, bytes, Any]:
    address = urlsplit(page.url)
    connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=20)
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    found = answer.status, answer.read(), answer.headers
    connection.close()
    return found


def known(page: DatasetPage) -> str:
    status, _, headers = get(page, f"/?token={page.token}")
    assert status == 303
    return str(headers["Set-Cookie"]).partition(";")[0]


def test_only_who_knows_the_token_sees_anything(small) -> None:
    _, page = small
    for path in ("/", "/rows", "/column/slide_p95", "/motion/0", "/?token=wrong"):
        assert get(page, path)[0] == 403
    cookie = known(page)
    status, body, headers = get(page, "/", cookie)
    assert status == 200 and b"<script>" in body
    assert (
        "unsafe-inline"
        not in str(headers["Content-Security-Policy"])
        .split("script-src")[1]
        .split(";")[0]
    )


def test_rows_and_columns_are_those_of_the_table(small) -> None:
    place, page = small
    cookie = known(page)
    rows = json.loads(get(page, "/rows", cookie)[1])
    assert len(rows["clips"]) == 20
    assert rows["short"][0] == {"name": "orientation", "unit": "deg"}
    figure = next(f for f in rows["figures"] if f["name"] == "slide_p95")
    assert sum(figure["counts"]) == 19 and figure["none"] == 1
    column = np.frombuffer(get(page, "/column/slide_p95", cookie)[1], dtype="<f4")
    assert np.isnan(column[3]) and np.isfinite(np.delete(column, 3)).all()
    assert abs(figure["high"] - np.nanmax(column)) < 1e-4


@pytest.mark.parametrize(
    "path",
    [
        "/motion/99",
        "/motion/-1",
        "/motion/x",
        "/sheet/0",
        "/column/nothing",
        "/column/clip",
        "/../dataset.json",
        "/motion/../../dataset.json",
        "/motion",
    ],
)
def test_nothing_else_is_given_away(small, path: str) -> None:
    _, page = small
    status, body, _ = get(page, path, known(page))
    assert status == 404
    assert b"\n" not in body and b"format_version" not in body


def test_the_figure_that_is_played_is_where_the_robot_is(motion_file: Path) -> None:
    body, motion = load_body("human66"), load_motion(motion_file)
    figure = stick_figure(body, motion)
    points = np.reshape(figure["mm"], (figure["frames"], figure["points"], 3)) / 1e3
    rate = (len(motion.time) - 1) / (motion.time[-1] - motion.time[0])
    every = round(rate / figure["rate"])
    pelvis = list(body.links).index("Pelvis")
    apart = points[:, pelvis] - motion.base_position[::every]
    assert np.linalg.norm(apart, axis=1).max() < 0.2
    lengths = [
        np.ptp(np.linalg.norm(points[:, a] - points[:, b], axis=1))
        for a, b in figure["lines"]
    ]
    assert len(lengths) > 15
    assert np.median(lengths) < 0.003, "most bones keep their length"


@pytest.mark.slow
def test_ten_thousand_rows_open_in_three_seconds_and_all_of_it_works(
    open_chromium: Callable[[str, str], Any], tmp_path: Path, motion_file: Path
) -> None:
    place = make_set(tmp_path / "set", MANY, motion_file)
    page = DatasetPage(place, load_body, host="127.0.0.1", port=0)
    try:
        chrome = open_chromium(page.url, "1400,900")._chrome
        run = chrome.execute_script

        def wait(script: str, *given: object) -> Any:
            end = time.monotonic() + 120.0
            while not (found := run(script, *given)):
                assert time.monotonic() < end, (
                    f"{script}: {run('return document.body.innerText')[:300]}"
                )
                time.sleep(0.05)
            return found

        wait(OPENED)
        first = "return document.querySelector('.row').innerText"
        worst = max(
            (r for r in _rows(place) if r["slide_p95"] is not None),
            key=lambda r: r["slide_p95"],
        )
        assert worst["clip"] in run(first), "worst first, and names are text"
        assert "10000 of 10000" in run("return document.body.innerText")
        # sort by another figure, by its distribution
        run("document.querySelector('.figure[data-name=jerk_rms]').click()")
        most = max(_rows(place), key=lambda r: r["jerk_rms"])["clip"]
        wait(f"{first}.includes(arguments[0])", most)
        # an expression keeps some; a wrong one is one line
        run(
            "const k = document.getElementById('keep'); k.value = arguments[0];"
            "k.onchange()",
            "slide_p95 < 3",
        )
        left = sum((r["slide_p95"] or 99.0) < 3.0 for r in _rows(place))
        wait(
            "return document.body.innerText.includes(arguments[0])", f"{left} of 10000"
        )
        run(
            "const k = document.getElementById('keep'); k.value = 'slide < 3';"
            "k.onchange()"
        )
        wait(
            "return document.getElementById('problem').innerText.includes('no column')"
        )
        # play: the picture changes; mark: it is on the disk
        run("document.querySelector('.row').click()")
        wait("return motion !== null")
        before = run("return document.getElementById('stage').toDataURL()")
        wait(
            "return document.getElementById('stage').toDataURL() !== arguments[0]",
            before,
        )
        clip = run("return set.clips[chosen]")
        run("document.getElementById('dropIt').click()")
        wait("return document.getElementById('mark').innerText === 'drop'")
        assert read_marks(place.marks) == {mark_key(clip, "human66"): "drop"}
    finally:
        page.close()


def _rows(place: DatasetPlace) -> list[dict[str, Any]]:
    from telexist.teleop.dataset import read_rows

    return read_rows(place.table)
