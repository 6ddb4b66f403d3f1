"""What somebody said of clips, having looked at them: keep or drop."""

from __future__ import annotations

import json
from pathlib import Path

from telexist.retarget.errors import BadConfig, BadInput
from telexist.retarget.files import write_bytes

__all__ = ["MARKS", "mark_key", "read_marks", "write_mark"]

MARKS = ("keep", "drop")


def mark_key(clip: str, robot: str) -> str:
    """Return the name of a clip on a robot in the file of marks."""
    return f"{clip}.{robot}"


def read_marks(path: Path) -> dict[str, str]:
    """Return all marks; none where there is no file.

    Raises:
        BadConfig: If the file is damaged.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(content, dict) or set(content.values()) - {*MARKS}:
            raise ValueError("marks are keep or drop")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError) as error:
        raise BadConfig(path, f"damaged: {error}") from error
    return content


def write_mark(path: Path, key: str, mark: str) -> dict[str, str]:
    """Keep a mark, or take it away with an empty one; return all marks.

    Raises:
        BadInput: If it is neither.
    """
    if mark and mark not in MARKS:
        raise BadInput(f"'{mark[:20]}' is no mark: keep, drop or nothing")
    marks = read_marks(path)
    marks.pop(key, None)
    if mark:
        marks[key] = mark
    text = json.dumps(dict(sorted(marks.items())), indent=0, ensure_ascii=False)
    write_bytes(path, f"{text}\n".encode())
    return marks
