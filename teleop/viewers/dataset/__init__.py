"""A data set in a browser: distributions, worst clips first, play, keep or drop."""

from telexist.teleop.viewers.dataset.dataset_page import DatasetPage

__all__ = ["DatasetPage"]
