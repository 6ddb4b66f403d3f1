"""A recorded session again: turn by turn, or computed anew and compared."""

from telexist.teleop.recording.replay.play_session import play_ticks
from telexist.teleop.recording.replay.recompute_session import check_session
from telexist.teleop.recording.replay.recorded_ticks import recorded_ticks
from telexist.teleop.recording.replay.session_summary import summary_lines

__all__ = ["check_session", "play_ticks", "recorded_ticks", "summary_lines"]
