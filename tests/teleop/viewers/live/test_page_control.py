"""One browser moves the robot; all of them can stop it."""

from __future__ import annotations

import pytest
from telexist.teleop.terms.request import Request
from telexist.teleop.viewers.live.page_control import PageControl

MOVING = [r for r in Request if r not in (Request.STOP, Request.HOLD)]


@pytest.mark.parametrize("request_", MOVING)
def test_who_asks_first_has_the_buttons_until_they_are_taken(
    request_: Request,
) -> None:
    control, both = PageControl(), (1, 2)
    assert control.may(request_, 2, both)
    assert not control.may(request_, 1, both)
    control.take(1)
    assert control.may(request_, 1, both)
    assert not control.may(request_, 2, both)


@pytest.mark.parametrize("request_", [Request.STOP, Request.HOLD])
def test_everybody_can_stop(request_: Request) -> None:
    control = PageControl()
    control.take(1)
    assert control.may(request_, 2, (1, 2))
    assert not control.may(Request.ENGAGE, 2, (1, 2))  # and takes nothing over by it


def test_a_browser_that_has_gone_gives_the_buttons_back() -> None:
    control = PageControl()
    assert control.may(Request.ENGAGE, 1, (1, 2))
    assert control.may(Request.ENGAGE, 2, (2, 3))
    assert not control.may(Request.ENGAGE, 3, (2, 3))
