"""The sheet's row of ergonomics: RULA and REBA, the low back, load and strength."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from telexist.retarget.ergonomics import LIMIT
from telexist.retarget.ergonomics.scored import RecordedErgonomics
from telexist.retarget.pictures import FADED, INK, SIDE_COLOURS

__all__ = ["draw_scores"]

BAND = 2.0  # deviations
_SPINE, _LOAD, _STRENGTH = "#7a4fb5", "#555555", "#2f9e62"


def draw_scores(places: Sequence[Axes], scores: RecordedErgonomics) -> None:
    """Fill three axes."""
    _draw_postures(places[0], scores)
    _draw_spine(places[1], scores)
    _draw_load(places[2], scores)
    for axes in places:
        axes.tick_params(labelsize=8, colors=INK)
        axes.set_xlabel("time [s]", fontsize=8, color=INK)
        axes.grid(alpha=0.2)
        axes.set_xlim(scores.time[0], scores.time[-1])
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        for lift in scores.lifts:
            axes.axvspan(lift.start, lift.end, color=FADED, alpha=0.2, lw=0)


def _title(axes: Axes, text: str) -> None:
    axes.set_title(text, fontsize=9, color=INK, loc="left")


def _draw_postures(axes: Axes, scores: RecordedErgonomics) -> None:
    _title(axes, "RULA (solid, of 7) and REBA (dotted, of 15), by arm")
    for s, side in enumerate(("left", "right")):
        for values, style in ((scores.rula, "-"), (scores.reba, ":")):
            axes.step(
                scores.time,
                values[:, s],
                style,
                where="post",
                color=SIDE_COLOURS[side],
                lw=1.2,
            )
    axes.set_ylim(0.0, max(7.5, scores.reba.max() + 0.5))


def _draw_spine(axes: Axes, scores: RecordedErgonomics) -> None:
    _title(axes, f"L5/S1 pressed by [N], line: {LIMIT:.0f} N")
    low = scores.compression - BAND * scores.compression_sd
    high = scores.compression + BAND * scores.compression_sd
    axes.fill_between(scores.time, low, high, color=_SPINE, alpha=0.18, lw=0)
    axes.plot(scores.time, scores.compression, color=_SPINE, lw=1.2)
    axes.axhline(LIMIT, color=FADED, lw=0.8, ls="--")
    axes.set_ylim(0.0, 1.1 * max(LIMIT, float(scores.compression.max())))


def _draw_load(axes: Axes, scores: RecordedErgonomics) -> None:
    _title(axes, "share of strength [%], green; load in the hands [kg], grey")
    if np.isfinite(scores.strength_share).any():
        share, spread = 100.0 * scores.strength_share, 100.0 * scores.strength_share_sd
        axes.fill_between(
            scores.time,
            share - BAND * spread,
            share + BAND * spread,
            color=_STRENGTH,
            alpha=0.18,
            lw=0,
        )
        axes.plot(scores.time, share, color=_STRENGTH, lw=1.2)
        axes.set_ylim(0.0, max(100.0, 1.1 * float(np.nanmax(share))))
    axes.plot(scores.time, scores.held, color=_LOAD, lw=1.2, drawstyle="steps-post")
    for lift in scores.lifts:
        words = f"{lift.load:.1f} ± {lift.load_sd:.1f} kg\nLI {lift.index:.2f}"
        axes.annotate(words, (lift.start, lift.load), fontsize=7, color=INK)
