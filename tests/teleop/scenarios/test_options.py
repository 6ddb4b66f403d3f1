"""Options without a meaning are refused by name, before anything is started."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from pathlib import Path

import pytest
from telexist.launch_scripts.telexist import main
from telexist.retarget.errors import BadInput
from telexist.teleop.scenarios.option_ranges import RANGES, flag_of
from telexist.teleop.scenarios.options import (
    ONE_FOOT_PUSH,
    SCENARIOS,
    ScenarioOptions,
    scenario_options,
)
from telexist.teleop.scenarios.output_files import write_figures

NUMBERS = {f.name for f in fields(ScenarioOptions) if type(f.default) in (int, float)}


def test_every_number_has_a_range_and_every_default_lies_in_it() -> None:
    assert RANGES.keys() == NUMBERS
    for name in SCENARIOS:
        scenario_options(name, {})


@pytest.mark.parametrize("name", sorted(RANGES))
def test_what_is_no_number_or_out_of_range_is_refused_by_name(name: str) -> None:
    allowed = RANGES[name]
    for value in (math.nan, math.inf, -math.inf, allowed.low - 1, allowed.high + 1):
        with pytest.raises(BadInput, match=f"{flag_of(name)} .* is not {allowed}"):
            scenario_options("walk", {name: value})


def test_a_push_that_never_comes_is_refused() -> None:
    with pytest.raises(BadInput, match="never come.*--push-time"):
        scenario_options("push", {"push_time": 10.0, "duration": 10.0})
    with pytest.raises(BadInput, match="never come"):
        one_foot = {"push_lateral": 0.1, "duration": ONE_FOOT_PUSH}
        scenario_options("one-foot", one_foot)
    scenario_options("stand", {"duration": 1.0})  # no push, so its time is no matter


@pytest.mark.parametrize(
    "words",
    [
        ["stand", "--foot", "middle"],
        ["stand", "--duration", "nan"],
        ["stand", "--mass-scale", "-1"],
        ["walk", "--speed", "inf"],
        ["walk", "--seed", "-1"],
        ["walk", "--robot", "no-such-robot"],
        ["walk", "--clip", "no-such-file.bvh"],
    ],
)
def test_a_wrong_option_is_one_line_that_names_it_and_exit_code_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scenario", *words]) == 2
    text = capsys.readouterr().err.strip()
    assert len(text.splitlines()) == 1
    assert words[1] in text or words[2] in text
    assert "unexpected" not in text


def test_the_manual_says_defaults_and_ranges(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["scenario", "--help"]) == 0
    text = "".join(capsys.readouterr().out.split())  # lines end anywhere
    for words in (
        "-45 to 45; default 0.0",
        "default 0.0, walk 0.23, three-stages 0.2",
        "never before 8 s",
        "a tenth of its effort",
        "--models DIR a folder",
    ):
        assert words.replace(" ", "") in text


def test_figures_are_strict_json(tmp_path: Path) -> None:
    path = tmp_path / "new" / "f.json"
    figures = {"a": math.nan, "b": {"c": math.inf, "d": 1.5}, "e": ["x"]}
    write_figures(path, figures)

    def refuse(word: str) -> None:
        raise AssertionError(word)

    found = json.loads(path.read_text(), parse_constant=refuse)
    assert found == {"a": None, "b": {"c": None, "d": 1.5}, "e": ["x"]}
