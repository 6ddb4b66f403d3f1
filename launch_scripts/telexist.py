"""Be a humanoid robot: carry human motion over to any robot.

Commands:
  bench        the papers' figures and tables, and other libraries, measured
  calibrate    measure an operator who stands in N-pose
  check-motion play a retargeted motion in simulation: does the robot fall, and why
  dataset      data sets for training: build, look through, select, split
  dynamics     what a recorded person's joints and feet do, and how surely
  export       recorded sessions to npz, CSV, parquet, LeRobot data sets, clips
  replay       what happened in a recorded session
  retarget     recordings of people to joint trajectories, pictures and reports
  robot        the robot's side of a network, for an operator elsewhere
  robots       list, check and draft robots
  scenario     balance and walk in simulation: named, seeded, measured
  simulate     play a device without having it: the real protocol, faults if asked
  teleoperate  be the robot: an operator drives it live
  view         watch a recording and its robots in a browser
  watch        a person without a robot: torques, forces and loads, live

Examples:
  telexist retarget walk.bvh --robot icub,g1,talos
  telexist teleoperate --robot g1 --source xsens --operator anna

Every command has its own manual: telexist bench --help

Options:
  --help, --version
  --debug      with any command: show the traceback of an error
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import cast

from telexist.launch_scripts.shell import (
    COMMANDS,
    FAILED,
    INTERRUPTED,
    OK,
    USAGE,
    exit_code,
    show_log_lines,
)
from telexist.retarget.errors import TelexistError, UnknownName

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one sub-command and return the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except SystemExit as stop:  # argparse, after --help
        return stop.code if isinstance(stop.code, int) else OK
    except KeyboardInterrupt:
        print("telexist: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone: `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if debug:
            traceback.print_exc()
        print(f"telexist: error: {_one_line(error, debug)}", file=sys.stderr)
        return exit_code(error) if isinstance(error, TelexistError) else FAILED


def _run(words: Sequence[str]) -> int:
    if not words or words[0] in ("--help", "-h", "help"):
        print(__doc__, end="")
        return OK if words else USAGE
    if words[0] in ("--version", "-V"):
        print(f"telexist {version('telexist')}")
        return OK
    if words[0] not in COMMANDS:
        raise UnknownName("command", words[0], COMMANDS)
    # One thread a process, set before numpy is loaded: work is spread over processes,
    # and results must not depend on how many cores there are.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    show_log_lines()
    module, _, function = COMMANDS[words[0]].partition(":")
    command = getattr(importlib.import_module(module), function)
    return cast(Callable[[Sequence[str]], int], command)(words[1:])


def _one_line(error: Exception, debug: bool) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, TelexistError) or debug:
        return text or type(error).__name__
    hint = "please report it; --debug shows the traceback"
    return f"unexpected {type(error).__name__}: {text} ({hint})"


if __name__ == "__main__":
    sys.exit(main())
