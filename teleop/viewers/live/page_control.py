"""One point of control: one browser at a time has the buttons.

Everybody who watches may stop and hold the robot; what makes it move is for the browser
that has the control. Who asks first has it; another one takes it over by a button of
its own, and it is free again when its browser has gone.
"""

from __future__ import annotations

from collections.abc import Collection

from telexist.teleop.terms import Request

__all__ = ["PageControl"]

ANYBODY = (Request.STOP, Request.HOLD)


class PageControl:
    """Decides whose presses count; browsers are numbers."""

    def __init__(self) -> None:
        """Start with nobody in control."""
        self._holder: int | None = None

    @property
    def holder(self) -> int | None:
        """Who has the buttons, or had them last; None before the first press."""
        return self._holder

    def may(self, request: Request, browser: int, present: Collection[int]) -> bool:
        """Return whether a press counts.

        Args:
            request: What was pressed.
            browser: Where.
            present: All browsers that are connected.
        """
        if request in ANYBODY:
            return True
        if self._holder not in present:
            self._holder = browser
        return browser == self._holder

    def take(self, browser: int) -> None:
        """Give the buttons to a browser that asked for them."""
        self._holder = browser
