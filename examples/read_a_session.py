"""What happened in a recorded session: events, commands, and the human frames.

python examples/read_a_session.py sessions/2026-01-31.mcap
"""

from __future__ import annotations

import sys
from pathlib import Path

from telexist import SessionReader


def summary(path: Path) -> list[str]:
    """Return a few lines on a session; a file that was cut off is read too."""
    reader = SessionReader(path)
    lines = [f"{name}: {count} messages" for name, count in reader.counts().items()]
    lines += [f"{event.kind}: {event.reason}" for event in reader.events()]
    commands = reader.arrays("command")
    if commands:
        lines.append(f"commands: {commands['q'].shape[0]} x {commands['q'].shape[1]}")
    return lines


if __name__ == "__main__":
    print("\n".join(summary(Path(sys.argv[1]))))
