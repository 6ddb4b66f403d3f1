"""A message from the network that must not become a pose."""

from __future__ import annotations

from telexist.retarget.errors import BadFrame

__all__ = ["RefusedMessage"]


class RefusedMessage(BadFrame):
    """A message that is counted and forgotten.

    Attributes:
        reason: The word under which it is counted: "malformed", "nan", "late",
            "duplicate".
        problem: What was wrong with it.
    """

    def __init__(self, reason: str, problem: str) -> None:
        self.reason, self.problem = reason, problem
        super().__init__(f"{reason}: {problem}")
