from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version

import pytest
from telexist.launch_scripts import telexist as command
from telexist.retarget.errors import CannotWrite, UnknownName


def test_help_is_a_manual_with_examples(telexist) -> None:
    ran = telexist("--help")
    assert ran.code == 0
    for name in command.COMMANDS:
        assert f"\n  {name} " in ran.out
    assert not ran.err


@pytest.mark.parametrize("name", command.COMMANDS)
def test_every_command_has_a_manual_with_examples(telexist, name: str) -> None:
    ran = telexist(name, "--help")
    assert ran.code == 0
    assert ran.out.count(f"telexist {name} ") >= 3


def test_no_command_shows_the_manual_and_is_a_usage_error(telexist) -> None:
    ran = telexist()
    assert ran.code == 2
    assert "Examples" in ran.out


def test_version_is_said(telexist) -> None:
    ran = telexist("--version")
    assert (ran.code, ran.out) == (0, f"telexist {version('telexist')}\n")


def test_mistyped_command_suggests_the_nearest(telexist) -> None:
    ran = telexist("retarge")
    assert ran.code == 2
    assert "did you mean 'retarget'?" in ran.error


def test_unknown_option_is_one_line(telexist) -> None:
    ran = telexist("retarget", "builtin", "--robots", "icub")
    assert ran.code == 2
    assert "--robots" in ran.error
    assert len(ran.err.splitlines()) == 1


def _replace(monkeypatch: pytest.MonkeyPatch, error: BaseException | int) -> None:
    def fake(argv: Sequence[str]) -> int:
        if isinstance(error, int):
            return error
        raise error

    monkeypatch.setattr("telexist.launch_scripts.robots.robots.main", fake)


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (UnknownName("robot", "g2", ["g1"]), 2, "did you mean 'g1'?"),
        (CannotWrite("disk full"), 1, "disk full"),
        (ZeroDivisionError("oh\nno"), 1, "unexpected ZeroDivisionError: oh no"),
    ],
)
def test_errors_are_one_line(telexist, monkeypatch, error, code, text) -> None:
    _replace(monkeypatch, error)
    ran = telexist("robots")
    assert ran.code == code
    assert text in ran.error
    assert len(ran.err.splitlines()) == 1


def test_debug_shows_the_traceback(monkeypatch, capsys) -> None:
    _replace(monkeypatch, ZeroDivisionError("oh no"))
    assert command.main(["robots", "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_interruption_is_one_line_and_130(telexist, monkeypatch) -> None:
    _replace(monkeypatch, KeyboardInterrupt())
    ran = telexist("robots")
    assert (ran.code, ran.err) == (130, "telexist: interrupted\n")


def test_exit_code_of_the_command_is_passed_on(telexist, monkeypatch) -> None:
    _replace(monkeypatch, 1)
    assert telexist("robots").code == 1


def _python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )


def test_dispatcher_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'rich', 'pinocchio', 'viser', 'matplotlib'}"
    ran = _python(
        f"import sys, telexist.launch_scripts.telexist\n"
        f"print({heavy} & set(sys.modules))"
    )
    assert ran.stdout.strip() == "set()"


def test_reader_that_leaves_early_is_no_error() -> None:
    code = "import runpy; runpy.run_module('telexist', run_name='__main__')"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "robots", "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(timeout=300) in (1, -signal.SIGPIPE)
    assert errors == ""


def test_threads_are_limited_before_numpy_is_loaded() -> None:
    code = (
        "import os, telexist.launch_scripts.telexist as t\n"
        "t.main(['robots', '--help'])\n"
        "print(os.environ['OMP_NUM_THREADS'])"
    )
    environment = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert ran.stdout.splitlines()[-1] == "1"
