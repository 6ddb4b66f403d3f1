"""What went wrong in a session, for its exit code."""

from __future__ import annotations

from telexist.launch_scripts.terminal.any_session import AnySession

__all__ = ["session_problems"]


def session_problems(session: AnySession) -> list[str]:
    """Return what went wrong, for the exit code: a line each."""
    found, loop = [], session.loop
    if session.recorder is not None and session.recorder.problem:
        found.append(f"recording: {session.recorder.problem}")
    if loop.interrupted:
        found.append(f"ended by {loop.interrupted}")
    elif (cause := loop.supervisor.cause) is not None:
        found.append(f"ended {cause.state.value}: {cause.kind}: {cause.reason}")
    return found
