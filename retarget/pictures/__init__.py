"""Pictures of people and robots, without a display."""

from retarget.pictures.neutral import neutral_figure
from retarget.pictures.save import save_figure
from retarget.pictures.sheet import draw_sheet

__all__ = ["draw_sheet", "neutral_figure", "save_figure"]
