"""All contestants solve the same problem; the ratios come from one run."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from telexist.benchmarks.peers import peers
from telexist.benchmarks.peers.contestant import CONTESTANTS, make_contestant
from telexist.benchmarks.peers.peer_contest import run_contest
from telexist.benchmarks.peers.peer_problem import (
    Case,
    PeerProblem,
    Places,
    make_problem,
    orientation_error_deg,
)
from telexist.retarget.errors import MissingDependency, UnknownName
from telexist.retarget.ik.target_clip import follow_targets
from telexist.retarget.robot_body import RobotBody
from telexist.robots.description.robot_model import load_body

FRAMES = 12
AGREE_DEG = {Case.FREE: 1e-3, Case.TIGHT: 0.2}
"""Of mean errors: free, only dampings are written differently; tight, each library has
its own way of slowing down before a limit."""


@pytest.fixture(scope="module")
def icub() -> RobotBody:
    return load_body("icub")


def problem_of(
    body: RobotBody, case: Case, places: Places = Places.LIMBS
) -> PeerProblem:
    return make_problem(body, case, places, frames=FRAMES)


@pytest.mark.parametrize("case", Case)
@pytest.mark.parametrize("name", CONTESTANTS)
def test_contestants_follow_alike(icub: RobotBody, name: str, case: Case) -> None:
    problem = problem_of(icub, case)
    try:
        make_contestant(name, problem)
    except MissingDependency as error:
        pytest.skip(str(error))
    result = run_contest(problem, ["recursive", name], passes=1, paced=2)
    errors = [
        orientation_error_deg(icub, problem, result.answers(n)).mean()
        for n in ("recursive", name)
    ]
    assert abs(errors[1] - errors[0]) < AGREE_DEG[case]
    assert result.wall.shape == (1, FRAMES, 2)
    assert result.paced.shape == (2, 2)
    assert np.all(result.wall > 0.0)


def test_free_is_reachable_and_tight_is_not(icub: RobotBody) -> None:
    error = {}
    for case in Case:
        problem = problem_of(icub, case)
        result = run_contest(problem, ["recursive"], passes=1, paced=0)
        answers = result.answers("recursive")
        error[case] = orientation_error_deg(icub, problem, answers).mean()
        q = np.array([answer.q for answer in answers])
        assert np.all((q >= problem.lower) & (q <= problem.upper))
    assert error[Case.FREE] < 0.1
    assert error[Case.TIGHT] > 10.0 * error[Case.FREE]


def test_a_problem_survives_the_way_to_another_program(icub: RobotBody) -> None:
    problem = problem_of(icub, Case.TIGHT)
    copy = pickle.loads(pickle.dumps(problem))
    results = [
        run_contest(p, ["recursive"], passes=1, paced=0) for p in (problem, copy)
    ]
    np.testing.assert_array_equal(results[0].q, results[1].q)


def test_whole_clips_are_what_stepping_gives(icub: RobotBody) -> None:
    problem = problem_of(icub, Case.TIGHT)
    contestant = make_contestant("recursive", problem)
    stepped = run_contest(problem, ["recursive"], passes=1, paced=0).q[:, 0]
    contestant.reset()
    q = np.empty((FRAMES, icub.kinematics.n))
    parts = tuple(problem.mechanism)
    assert follow_targets(parts, problem.rotations, problem.places, problem.dt, q)
    np.testing.assert_allclose(q, stepped, rtol=0.0, atol=1e-9)


def test_unknown_contestant_names_the_known_ones(icub: RobotBody) -> None:
    with pytest.raises(UnknownName, match="recursive"):
        make_contestant("klampt", problem_of(icub, Case.FREE))


@pytest.mark.slow
def test_ratios_are_written_and_absent_peers_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "peers.json"
    words = ["--robot", "icub", "--frames", "10", "--passes", "1", "--json", str(out)]
    words += ["--peer", "mink,placo", "--placo-python", str(tmp_path / "none")]
    assert peers.main(words) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    assert set(content) == {"icub"}
    assert set(content["icub"]) == {"free", "tight"}
    for cell in content["icub"].values():
        assert "placo" not in cell
        assert cell["error_deg"].keys() >= cell.keys() - {"error_deg"}
        assert all(cell[peer] > 0.0 for peer in cell if peer != "error_deg")
    assert "skipped: placo" in capsys.readouterr().out
