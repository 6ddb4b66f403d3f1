"""The page that plays clips of people and robots."""

from telexist.teleop.viewers.clip.clip_page import ClipPage

__all__ = ["ClipPage"]
