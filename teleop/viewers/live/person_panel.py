"""The panel of what the person feels: loads, forces, scores, and chosen moments."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
import viser
from telexist.retarget.ergonomics import LIMIT, STRENGTH_JOINTS
from telexist.retarget.person_dynamics import SCORES
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array
from telexist.teleop.viewers.figures import effort_colour

__all__ = ["MOMENTS", "PersonPanel", "person_html"]

SPAN, POINTS = 12.0, 300  # [s] and points of the plot
BAND = 2.0  # deviations
EVERY = 5  # updates between two drawings
_LEGS = {
    f"{side.lower()} {joint}": (f"{side}{part}", 1, sign)
    for joint, part, sign in (
        ("hip flexion", "UpperLeg", -1.0),
        ("knee flexion", "LowerLeg", 1.0),
        ("ankle dorsiflexion", "Foot", -1.0),
        ("shoulder flexion", "UpperArm", -1.0),
        ("elbow flexion", "ForeArm", -1.0),
    )
    for side in ("Left", "Right")
}
MOMENTS: Mapping[str, tuple[str, int, float]] = {
    "low back flexion (L5/S1)": ("L5", 1, 1.0),
    **_LEGS,
}
"""What can be chosen: segment, axis of its neighbour, and sign, as flexion counts."""
_RULA_COLOURS = ((2, "#2f9e62"), (4, "#d9a400"), (6, "#e2711d"), (7, "#c92a2a"))
_REBA_COLOURS = ((3, "#2f9e62"), (7, "#d9a400"), (10, "#e2711d"), (15, "#c92a2a"))


class PersonPanel:
    """Shows words and one plot; hidden until there is an estimate."""

    def __init__(self, gui: Any) -> None:
        """Add the panel to the open container of a viser page."""
        self._folder = gui.add_folder("What the person feels", visible=False)
        with self._folder:
            self._words = gui.add_html("")
            self._chosen = gui.add_dropdown(
                "Moment", tuple(MOMENTS), initial_value="left knee flexion"
            )
            self._plot = gui.add_uplot(
                data=(np.zeros(1),) * 4,
                series=_series(),
                bands=({"series": (2, 3), "fill": "rgba(61,127,214,0.25)"},),
                title="moment [N m], with two deviations",
                scales={"x": {"time": False}},
                axes=({"stroke": "#888"}, {"stroke": "#888", "size": 44}),
                legend={"show": True},
                height=170,
                padding=(4, 10, 0, 0),
            )
        self._kept: deque[tuple[float, Array, Array]] = deque(maxlen=POINTS)
        self._count = 0

    def show(self, stamp: float, person: Mapping[str, Array]) -> None:
        """Bring the panel to an estimate that was known at a time [s]."""
        if not person:
            return
        if not self._folder.visible:
            self._folder.visible = True
        if self._kept and stamp < self._kept[-1][0]:
            self._kept.clear()
        time = stamp - float(person["lag"][0])
        self._kept.append((time, person["moments"], person["moments_sd"]))
        self._count += 1
        if self._count % EVERY == 0:
            self._words.content = person_html(person)
            self._plot.data = self._curves()

    def _curves(self) -> tuple[Array, ...]:
        segment, axis, sign = MOMENTS[self._chosen.value]
        link = SEGMENT_INDEX[segment]
        rows = [row for row in self._kept if row[0] >= self._kept[-1][0] - SPAN]
        time = np.array([row[0] for row in rows])
        moment = sign * np.array([row[1][link, axis] for row in rows])
        band = BAND * np.array([row[2][link, axis] for row in rows])
        return time, moment, moment + band, moment - band


def _series() -> tuple[viser.uplot.Series, ...]:
    quiet = {"stroke": "rgba(61,127,214,0.45)", "width": 0.8, "points": {"show": False}}
    lines: tuple[Any, ...] = (
        {"label": "time [s]"},
        {
            "label": "moment",
            "stroke": "#3d7fd6",
            "width": 1.8,
            "points": {"show": False},
        },
        {"label": "+2 sd", **quiet},
        {"label": "-2 sd", **quiet},
    )
    return lines


def person_html(person: Mapping[str, Array]) -> str:
    """Return loads, ground forces and scores; never a number without its deviation."""
    weight = 9.81 * float(person["mass"][0])
    rows = []
    for s, side in enumerate(("left", "right")):
        force = person["foot_wrenches"][s, 2]
        spread = person["foot_wrenches_sd"][s, 2]
        how = "measured" if person["measured"][s] else "from the motion"
        rows.append(
            (
                f"{side} foot",
                f"{force:.0f} &plusmn; {spread:.0f} N ({force / weight:.0%}), {how}",
            )
        )
    for s, side in enumerate(("left", "right")):
        load, spread = person["hand_loads"][s], person["hand_loads_sd"][s]
        words = f"{load:.1f} &plusmn; {spread:.1f} kg"
        rows.append((f"{side} hand", words if spread > 0.05 else "taken as empty"))
    rows += _score_rows(dict(zip(SCORES, person["scores"], strict=True)))
    lines = "".join(
        f'<tr><td style="color:#888;padding-right:8px">{name}</td><td>{text}</td></tr>'
        for name, text in rows
    )
    lag = 1e3 * float(person["lag"][0])
    scale = "".join(
        f'<span style="background:rgb{effort_colour(k / 8)};padding:0 7px"></span>'
        for k in range(9)
    )
    return (
        '<div style="margin:0 8px;font-size:12px;line-height:1.45">'
        f"<table>{lines}</table>"
        f'<div style="margin-top:4px">effort {scale} 1.5 N m/kg</div>'
        f'<div style="color:#888">{weight / 9.81:.0f} kg, {lag:.0f} ms behind the '
        "newest sample; deviations are one sd; scores are of this posture, no verdict "
        "on a person; no medical advice</div></div>"
    )


def _score_rows(scores: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return a line for each score that there is."""
    rows = []
    for name, label, most, colours in (
        ("rula", "RULA", 7, _RULA_COLOURS),
        ("reba", "REBA", 15, _REBA_COLOURS),
    ):
        if np.isfinite(scores[name]):
            colour = next(text for last, text in colours if scores[name] <= last)
            mark = f'<b style="color:{colour}">{scores[name]:.0f}</b>'
            rows.append((label, f"{mark} of {most}"))
    force, spread = scores["lumbar_compression"], scores["lumbar_compression_sd"]
    if np.isfinite(force):
        over = f", above {LIMIT:.0f} N" if force > LIMIT else ""
        rows.append(("L5/S1 pressed by", f"{force:.0f} &plusmn; {spread:.0f} N{over}"))
    share, doubt = scores["strength_share"], scores["strength_share_sd"]
    if np.isfinite(share):
        joint = STRENGTH_JOINTS[int(scores["strength_joint"])]
        text = f"{joint}: {share:.0%} &plusmn; {doubt:.0%}"
        rows.append(("of strength", text))
    if scores["lifts"] > 0 and np.isfinite(scores["lift_load"]):
        load, load_sd = scores["lift_load"], scores["lift_load_sd"]
        index, index_sd = scores["lifting_index"], scores["lifting_index_sd"]
        rows.append(
            (f"lift {scores['lifts']:.0f}", f"{load:.1f} &plusmn; {load_sd:.1f} kg")
        )
        rows.append(("lifting index", f"{index:.2f} &plusmn; {index_sd:.2f} (NIOSH)"))
    return rows
