"""Real-time scheduling is for the session's own threads, not for programs it begins."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from telexist.teleop.loop.real_time import (
    for_others,
    prefer_this_thread,
    treat_as_others,
)

ASK = [sys.executable, "-c", "import os; print(os.sched_getscheduler(0))"]


@pytest.mark.skipif(
    not hasattr(os, "sched_setscheduler"), reason="no scheduling policies here"
)
def test_a_program_begun_for_others_is_scheduled_as_others() -> None:
    said = prefer_this_thread(real_time=True)
    try:
        mine = os.sched_getscheduler(0)
        with for_others():
            begun = subprocess.run(ASK, capture_output=True, text=True, check=True)
        assert int(begun.stdout) == os.SCHED_OTHER
        assert os.sched_getscheduler(0) == mine
        if "granted" in said:
            assert mine == os.SCHED_FIFO
    finally:
        treat_as_others()
    assert os.sched_getscheduler(0) == os.SCHED_OTHER
