from __future__ import annotations

import subprocess
import sys

LOOK = """
import sys

from telexist.retarget.errors import DeviceLost
from telexist.calibration.capture import Capture
from telexist.teleop.session.capture_run import run_capture
from telexist.teleop.devices.base.interface import Provides


class Looking:
    name, provides = "looking", frozenset({Provides.HUMAN})

    def open(self, wake):
        print("telexist.retarget.frame_check" in sys.modules)
        raise DeviceLost("enough")


try:
    run_capture(Looking(), Capture(), lambda status: None)
except DeviceLost:
    pass
"""


def test_compiled_checks_are_loaded_before_the_first_frame_can_come() -> None:
    """Loading takes a second in which frames would be missed."""
    done = subprocess.run(
        [sys.executable, "-c", LOOK], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True"]
