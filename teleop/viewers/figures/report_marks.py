"""What a controller reports, drawn on the floor: balance, steps and forces.

| name | shape | drawn as |
|---|---|---|
| com | (3,) | a ball, and a plumb line to the floor |
| dcm, zmp | (2,) | discs on the floor |
| support | (k, 2) | outline of the support polygon |
| footsteps | (k, 4) x, y, yaw, side (0 left, 1 right) | soles, coloured |
| contacts | (k, 6) point, force [N] | arrows |
| floor | (1,) its height below the soles [m] | where the others are drawn |

Where the robot's base is only estimated, `world_p_base` (3,) and `world_R_base` (3, 3)
say where to draw the robot.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.teleop.viewers.figures.solid import Colour, side_colour

__all__ = ["ReportMarks", "legend_html"]

_BALLS: dict[str, tuple[float, Colour]] = {
    "com": (0.03, (60, 60, 70)),
    "dcm": (0.022, (214, 92, 61)),
    "zmp": (0.022, (61, 160, 90)),
}
STEP = (0.18, 0.08)  # [m] length and width of a step of a robot that has no soles
ARROWS = 0.8  # [m] of all arrows together
LIFT = 0.004  # [m] over the floor
EDGES, FEET = 8, 2  # of the support of two soles, so that it need not be drawn anew

SUPPORT: Colour = (90, 110, 200)
FORCE: Colour = (200, 60, 160)
_NAMES = {"com": "centre of mass", "dcm": "DCM", "zmp": "ZMP"}


def legend_html() -> str:
    """Return which mark is what, in its colour."""
    colours = {_NAMES[name]: colour for name, (_, colour) in _BALLS.items()}
    colours |= {"support": SUPPORT, "forces": FORCE}
    words = [_dot(colour) + name for name, colour in colours.items()]
    words.append(_dot(side_colour("left")) + _dot(side_colour("right")) + "next steps")
    style = "margin:0 8px 6px;font-size:12px;color:#555;line-height:1.5"
    return f'<div style="{style}">{" &nbsp; ".join(words)}</div>'


def _dot(colour: Colour) -> str:
    return f'<span style="color:rgb{colour};font-size:14px">&#9679;</span> '


class ReportMarks:
    """Draws what there is and hides what is no longer there."""

    def __init__(self, scene: Any, root: str) -> None:
        """Draw in a viser scene, below a node."""
        self._scene, self._root = scene, root
        self._nodes: dict[str, Any] = {}
        self._drawn: dict[str, Array] = {}
        self._soles = np.array([STEP, STEP])
        self._floor = 0.0

    def take_soles(self, body: RobotBody) -> None:
        """Draw footsteps like the soles of a robot, if it has two."""
        soles = [body.soles[side] for side in ("left", "right") if side in body.soles]
        if len(soles) == 2:
            self._soles = np.array([(sole.length, sole.width) for sole in soles])

    def show(self, marks: Mapping[str, Array]) -> None:
        """Show what a controller reports now."""
        wanted = _drawable(marks)
        before, self._floor = self._floor, _floor(marks)
        for name in set(self._drawn) - set(wanted):
            for node in (name, "plumb") if name == "com" else (name,):
                self._nodes.pop(node).remove()
            self._drawn.pop(name)
        for name, value in wanted.items():
            old = self._drawn.get(name)
            still = old is not None and np.array_equal(old, value)
            if not still or self._floor != before:
                self._draw(name, value)
                self._drawn[name] = value

    def _draw(self, name: str, value: Array) -> None:
        if name in _BALLS:
            self._draw_ball(name, value)
        elif name == "support":
            edges = _closed(self._on_floor(value))
            self._draw_lines(name, _filled_up(edges, EDGES), SUPPORT)
        elif name == "footsteps":
            steps = [self._on_floor(self._step_corners(step)) for step in value]
            lines = [_closed(corners) for corners in steps]
            left = np.repeat(value[:, 3] < 0.5, 4)
            colours = np.where(left[:, None], side_colour("left"), side_colour("right"))
            self._draw_lines(name, np.concatenate(lines), colours)
        else:
            # Long enough to stand out of the legs, whatever the robot weighs.
            total = max(float(np.linalg.norm(value[:, 3:6], axis=1).sum()), 1.0)
            ends = value[:, :3] + ARROWS / total * value[:, 3:6]
            arrows = np.stack([value[:, :3], ends], axis=1)
            self._draw_arrows(name, _filled_up(arrows, FEET))

    def _draw_ball(self, name: str, value: Array) -> None:
        radius, colour = _BALLS[name]
        if name not in self._nodes:
            self._nodes[name] = self._scene.add_icosphere(
                f"{self._root}/{name}", radius=radius, color=colour, subdivisions=2
            )
        place = np.array([0.0, 0.0, self._floor])
        place[: len(value)] = value
        self._nodes[name].position = place
        if name == "com":  # inside the robot: a plumb line shows where it is
            foot = self._on_floor(place[None, :2])[0]
            self._draw_lines("plumb", np.stack([place, foot])[None], colour)

    def _on_floor(self, points: Array) -> Array:
        """Return points (k, 2) a little over the floor (k, 3) [m]."""
        return np.column_stack([points, np.full(len(points), self._floor + LIFT)])

    def _step_corners(self, step: Array) -> Array:
        """Return the corners (4, 2) of the sole that is to be there [m]."""
        x, y, yaw, side = step
        a, b = self._soles[int(side >= 0.5)] / 2.0
        corners = np.array([[a, b], [a, -b], [-a, -b], [-a, b]])
        turn = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])
        return corners @ turn.T + (x, y)

    def _draw_lines(self, name: str, segments: Array, colours: Any) -> None:
        points = segments.astype(np.float32)
        if self._moved(name, points):
            return
        self._nodes[name] = self._scene.add_line_segments(
            f"{self._root}/{name}",
            points=points,
            colors=_per_point(colours, len(segments)),
            line_width=2.5,
        )

    def _draw_arrows(self, name: str, arrows: Array) -> None:
        points = arrows.astype(np.float32)
        if self._moved(name, points):
            return
        self._nodes[name] = self._scene.add_arrows(
            f"{self._root}/{name}",
            points=points,
            colors=FORCE,
            shaft_radius=0.01,
            head_radius=0.024,
            head_length=0.04,
        )

    def _moved(self, name: str, points: np.ndarray) -> bool:
        """Move what is drawn, if it has as many points; if not, take it away.

        What a browser must draw anew comes late: seconds, where it draws in software.
        """
        node = self._nodes.get(name)
        if node is None:
            return False
        if name != "footsteps" and node.points.shape == points.shape:
            node.points = points
            return True
        node.remove()
        return False


def _drawable(marks: Mapping[str, Array]) -> dict[str, Array]:
    """Return the marks that are finite and have the shape that we can draw."""
    shapes = {
        "com": (3,),
        "dcm": (2,),
        "zmp": (2,),
        "support": (None, 2),
        "footsteps": (None, 4),
        "contacts": (None, 6),
    }
    return {
        name: marks[name]
        for name, shape in shapes.items()
        if name in marks and _fits(marks[name], shape)
    }


def _fits(value: Array, shape: tuple[int | None, ...]) -> bool:
    return (
        value.ndim == len(shape)
        and value.size > 0
        and value.shape[-1] == shape[-1]
        and bool(np.isfinite(value).all())
    )


def _closed(corners: Array) -> Array:
    """Return the edges of a polygon (k, 2, 3)."""
    return np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)


def _filled_up(rows: Array, count: int) -> Array:
    """Return rows (count or more, ...) of which the last ones are the same."""
    missing = max(count - len(rows), 0)
    return np.concatenate([rows, np.repeat(rows[-1:], missing, axis=0)])


def _floor(marks: Mapping[str, Array]) -> float:
    """Return the height of the floor [m]; 0 where nobody says it."""
    height = np.asarray(marks.get("floor", 0.0), dtype=float)
    return float(height.flat[0]) if height.size == 1 and np.isfinite(height) else 0.0


def _per_point(colours: Any, count: int) -> np.ndarray:
    rows = np.broadcast_to(np.asarray(colours, dtype=np.uint8), (count, 3))
    return np.repeat(rows[:, None], 2, axis=1)
