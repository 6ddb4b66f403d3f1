"""Plots over the last seconds: tracking error, loop period, latency, sample's age."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.terms import STAGES

__all__ = ["PERSON_PLOTS", "PLOTS", "LivePlots"]

SPAN = 20.0  # [s] that is shown
POINTS = 300  # kept of each curve
HEIGHT = 150  # [px]
_COLOURS = ("#3d7fd6", "#d65c3d", "#3da05a", "#8a5cd6", "#c9a227", "#3aa6b9", "#777777")
PLOTS: Mapping[str, tuple[str, ...]] = {
    "Tracking error [deg]": ("mean error", "largest error"),
    "Loop period [ms]": ("period", "longest period"),
    "Latency by stage [ms]": STAGES,
    "Age of the sample in use [ms]": ("age",),
}
"""Title to curves, of a session with a robot."""
PERSON_PLOTS = {title: PLOTS[title] for title in PLOTS if "Tracking" not in title}
"""Those where nothing follows the person."""


class LivePlots:
    """Keeps the newest readings and draws them when asked."""

    def __init__(self, gui: Any, plots: Mapping[str, tuple[str, ...]] = PLOTS) -> None:
        """Add the plots, title to curves, to the open container of a viser page."""
        self._titles = plots
        self._times: deque[float] = deque(maxlen=POINTS)
        names = [name for curves in plots.values() for name in curves]
        self._curves: dict[str, deque[float]] = {
            name: deque(maxlen=POINTS) for name in names
        }
        self._plots = {
            title: gui.add_uplot(
                data=self._data(curves),
                series=_series(curves),
                title=title,
                scales={"x": {"time": False}},
                axes=({"stroke": "#888"}, {"stroke": "#888", "size": 44}),
                legend={"show": True},
                height=HEIGHT,
                padding=(4, 10, 0, 0),
            )
            for title, curves in plots.items()
        }

    def add(self, time: float, readings: Mapping[str, float]) -> None:
        """Remember readings; a time that went back starts the plots anew."""
        if self._times and time < self._times[-1]:
            self._times.clear()
            for curve in self._curves.values():
                curve.clear()
        self._times.append(time)
        for name, curve in self._curves.items():
            curve.append(readings.get(name, float("nan")))

    def draw(self) -> None:
        """Show what was added."""
        for title, curves in self._titles.items():
            self._plots[title].data = self._data(curves)

    def _data(self, curves: tuple[str, ...]) -> tuple[Array, ...]:
        time = np.array(self._times, dtype=np.float64)
        recent = time >= (time[-1] - SPAN if len(time) else 0.0)
        return (
            time[recent],
            *(
                np.array(self._curves[name], dtype=np.float64)[recent]
                for name in curves
            ),
        )


def _series(curves: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    drawn = (
        {"label": name, "stroke": colour, "width": 1.5, "points": {"show": False}}
        for name, colour in zip(curves, _COLOURS, strict=False)
    )
    return ({"label": "time [s]"}, *drawn)
