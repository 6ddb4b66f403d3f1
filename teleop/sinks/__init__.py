"""Who wants every tick: the summary, and those who end or engage a session."""

from telexist.teleop.sinks.auto_engage import AutoEngage
from telexist.teleop.sinks.device_teller import DeviceTeller
from telexist.teleop.sinks.histogram import Histogram
from telexist.teleop.sinks.line_writer import LineWriter
from telexist.teleop.sinks.profile_keeper import ProfileKeeper
from telexist.teleop.sinks.script_start import ScriptStart
from telexist.teleop.sinks.source_end import SourceEnd
from telexist.teleop.sinks.summary import Summary, SummarySink
from telexist.teleop.sinks.time_end import TimeEnd

__all__ = [
    "AutoEngage",
    "DeviceTeller",
    "Histogram",
    "LineWriter",
    "ProfileKeeper",
    "ScriptStart",
    "SourceEnd",
    "Summary",
    "SummarySink",
    "TimeEnd",
]
