"""The moment to which the markers of a trial are compared: standing, or its best frame.

A standing trial of the same markers is the best: named in the TOML, or found beside the
recording by its name. Without one, the most upright frame of the trial serves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import BadRecording, TelexistError
from telexist.retarget.recordings.markers.capture import MarkerCapture
from telexist.retarget.recordings.markers.marker_names import known_roles
from telexist.retarget.recordings.markers.osim_markers import osim_places
from telexist.retarget.recordings.markers.standing import heading_axes
from telexist.retarget.so3 import Array

__all__ = ["MarkerReference", "upright_places"]

Places = Mapping[str, Array]
Read = Callable[..., MarkerCapture]

_STATIC = re.compile(
    r"(static|standing|calib|neutral|n_?pose|(^|[_\-. ])(st|cal)\d*$)", re.I
)
_SAME_PERSON = 0.03  # [m] between the markers of the pelvis
_UPS: Mapping[str, tuple[int, float]] = MappingProxyType(
    {"x": (0, 1.0), "y": (1, 1.0), "z": (2, 1.0), "-x": (0, -1.0), "-y": (1, -1.0)}
    | {"-z": (2, -1.0)}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerReference:
    """Markers of a person who stands, x ahead, y left, z up.

    Attributes:
        markers: Place to point (3,) [m].
        stands: Whether it is a standing trial; else a frame of the trial itself.
        note: Where it came from.
    """

    markers: Places
    stands: bool
    note: str


def metres_up(
    capture: MarkerCapture, roles: Mapping[str, str], up: str | None
) -> tuple[dict[str, Array], Array, str]:
    """Return place to points (t, 3) [m], z up, the turn (3, 3), and a note on both.

    Raises:
        BadRecording: If the unit makes no person, or no axis points up.
    """
    unit = capture.unit or 1.0
    index = {name: k for k, name in enumerate(capture.names)}
    places = {
        place: capture.positions[:, index[name]] * unit
        for place, name in roles.items()
        if name in index and np.isfinite(capture.positions[:, index[name]]).any()
    }
    body = _feet_to_hips(places)
    if body is None:
        return places, np.eye(3), ""
    size = float(np.linalg.norm(body))
    if capture.unit is None:
        unit = min((1.0, 0.1, 0.01, 0.001), key=lambda u: abs(np.log(u * size / 0.8)))
        places = {place: unit * points for place, points in places.items()}
    elif not 0.15 < size < 2.0:
        problem = (
            f"its unit of {unit:g} m makes the hips {size:.4g} m high: "
            "state `unit`, in metres, in a TOML file beside it"
        )
        raise BadRecording(capture.path, problem)
    found = max(_UPS, key=lambda axis: _UPS[axis][1] * body[_UPS[axis][0]])
    axis, sign = _UPS[up or found]
    if up is None and abs(body[axis]) < 0.7 * size:
        problem = "no axis points from the feet to the hips: state `up`"
        raise BadRecording(capture.path, problem)
    turn = _turn_up(axis, sign)
    places = {place: points @ turn.T for place, points in places.items()}
    return places, turn, f"{up or found} up, unit {unit:g} m"


def _feet_to_hips(places: Mapping[str, Array]) -> Array | None:
    hips = [places[p] for p in ("LeftAsis", "RightAsis", "Sacrum") if p in places]
    feet = [
        points
        for place, points in places.items()
        if place.endswith(("Heel", "Toe", "AnkleLateral"))
    ]
    if not hips or not feet:
        return None
    top, bottom = (
        np.median([np.nanmedian(p, axis=0) for p in x], axis=0) for x in (hips, feet)
    )
    difference: Array = top - bottom
    return difference


def _turn_up(axis: int, sign: float) -> Array:
    """Return the rotation of the file's axes that brings `axis` to z (3, 3)."""
    turn = np.zeros((3, 3))
    turn[2, axis] = sign
    turn[0, (axis + 1) % 3] = 1.0
    turn[1] = np.cross(turn[2], turn[0])
    return turn


def upright_places(places: Places, path: str) -> tuple[int, Places]:
    """Return the frame in which a person stands straightest, and its markers."""
    needed = ["LeftAsis", "RightAsis", "LeftHeel", "RightHeel"]
    points = np.stack([places[name] for name in needed if name in places], axis=1)
    whole = np.sum([np.isfinite(p).all(axis=1) for p in places.values()], axis=0)
    enough = whole >= 0.98 * whole.max()
    enough &= np.isfinite(points).all(axis=(1, 2))
    if not enough.any():
        raise BadRecording(path, "in no frame are pelvis and heels seen together")
    height = points[:, :2, 2].mean(axis=1) - np.abs(
        points[:, -2, :2] - points[:, -1, :2]
    ).sum(axis=1)
    frame = int(np.argmax(np.where(enough, height, -np.inf)))
    return frame, {place: p[frame] for place, p in places.items()}


def find_reference(
    capture: MarkerCapture,
    places: Places,
    *,
    static: Path | None,
    read: Read,
    stated: Mapping[str, str],
    up: str | None,
) -> MarkerReference:
    """Return the person standing.

    Args:
        capture: The trial.
        places: Its markers (t, 3) [m], z up.
        static: The standing trial, where the user names it.
        read: What reads such a file.
        stated: Place to marker name, as the user says.
        up: Axis that points up, as the user says.

    Raises:
        BadRecording: If the standing trial that the user named cannot be used.
    """
    if static is not None:
        found = _standing_trial(static, read, capture, stated, up)
        return MarkerReference(
            markers=_headed(found, str(static)),
            stands=True,
            note=f"standing trial: {static.name}",
        )
    for beside in _likely_trials(Path(capture.path)):
        try:
            found = _standing_trial(beside, read, capture, stated, up)
            headed = _headed(found, str(beside))
        except TelexistError:
            continue
        if len(found) < 0.8 * len(places) or not _same_person(found, places):
            continue
        return MarkerReference(
            markers=headed,
            stands=True,
            note=f"standing trial found beside it: {beside.name}",
        )
    frame, posture = upright_places(places, capture.path)
    return MarkerReference(
        markers=_headed(posture, capture.path),
        stands=False,
        note=f"no standing trial: the posture of frame {frame} serves",
    )


def _likely_trials(path: Path) -> list[Path]:
    if not path.parent.is_dir():
        return []
    near = sorted(
        p for p in path.parent.iterdir() if p.suffix.lower() == path.suffix.lower()
    )
    return [p for p in near if p != path and _STATIC.search(p.stem)][:5]


def _standing_trial(
    path: Path,
    read: Read,
    like: MarkerCapture,
    stated: Mapping[str, str],
    up: str | None,
) -> dict[str, Array]:
    """Return the mean place of every marker of a standing trial, z up."""
    if path.suffix.lower() == ".osim":
        return osim_places(path, stated)
    capture = read(path)
    places, _, _ = metres_up(capture, known_roles(capture.names, stated), up)
    return {place: np.nanmedian(points, axis=0) for place, points in places.items()}


def _same_person(standing: Places, trial: Places) -> bool:
    names = [
        n for n in ("LeftAsis", "RightAsis", "LeftPsis", "Sacrum") if n in standing
    ]
    for a in names:
        for b in names:
            if a < b and a in trial and b in trial:
                here = np.nanmedian(np.linalg.norm(trial[a] - trial[b], axis=1))
                there = np.linalg.norm(standing[a] - standing[b])
                if abs(here - there) > _SAME_PERSON:
                    return False
    return True


def _headed(places: Places, path: str) -> Places:
    axes = heading_axes(places, path)
    return {place: point @ axes for place, point in places.items()}
