"""The picture of [R] figure 7: boxes of error, velocity error and time."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from telexist.retarget.pictures import FADED, INK
from telexist.retarget.so3 import Array

__all__ = ["draw_figure7"]

COLOURS: Mapping[str, str] = MappingProxyType(
    {"whole-body": "#3d7fd6", "pair-wise": "#e8833a", "dynamical": "#3aa66b"}
)
ROWS = (
    ("mnte", "log10 MNTE", 1.0),
    ("rmse", "log10 RMSE [rad/s]", 1.0),
    ("time", "log10 time [ms]", 1e3),
)
LEAST = 1e-12  # below which a logarithm says nothing

Found = Mapping[str, Mapping[str, Mapping[str, Mapping[str, Array]]]]


def draw_figure7(found: Found) -> Figure:
    """Draw robot -> motion -> method -> metric -> values of every frame (t,)."""
    figure = Figure(figsize=(3.6 * len(found) + 0.8, 8.0), dpi=100)
    axes = figure.subplots(len(ROWS), len(found), squeeze=False, sharey="row")
    for column, (robot, motions) in enumerate(found.items()):
        for row, (metric, label, unit) in enumerate(ROWS):
            panel = axes[row, column]
            _boxes(panel, motions, metric, unit)
            if column == 0:
                panel.set_ylabel(label, color=INK)
            if row == 0:
                panel.set_title(robot, color=INK)
    methods = list(
        dict.fromkeys(m for x in found.values() for y in x.values() for m in y)
    )
    handles = [figure.axes[0].plot([], [], color=COLOURS[m], lw=6)[0] for m in methods]
    figure.legend(handles, methods, loc="lower center", ncols=3, frameon=False)
    figure.subplots_adjust(bottom=0.1, top=0.95, left=0.09, right=0.98, hspace=0.15)
    return figure


def _boxes(panel: Any, motions: Mapping[str, Any], metric: str, unit: float) -> None:
    for place, methods in enumerate(motions.values()):
        for k, (method, values) in enumerate(methods.items()):
            logs = np.log10(np.maximum(unit * values[metric], LEAST))
            box = panel.boxplot(
                [logs],
                positions=[place + 0.25 * (k - (len(methods) - 1) / 2.0)],
                widths=0.2,
                whis=(1, 99),
                showfliers=False,
                patch_artist=True,
                medianprops={"color": INK},
            )
            box["boxes"][0].set_facecolor(COLOURS[method])
    panel.set_xticks(range(len(motions)), list(motions))
    panel.set_xlim(-0.6, len(motions) - 0.4)
    panel.grid(axis="y", color=FADED, alpha=0.3)
