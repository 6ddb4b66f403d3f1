"""The page of a session, in a process of its own."""

from telexist.teleop.viewers.live.live_page import LivePage
from telexist.teleop.viewers.live.page_device import PageDevice

__all__ = ["LivePage", "PageDevice"]
