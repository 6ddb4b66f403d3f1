"""Put a clip into our world: start at the origin, face +x, stand on z = 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.human_size import HumanSize
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.recognition.floor import Floor, find_floor
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array, rotation_z, shortest_rotation
from telexist.retarget.whole_clip import turned_stack

__all__ = ["PlacedClip", "place_on_floor"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedClip:
    """A clip in the world.

    Attributes:
        rotations: `world_R_segment` (t, 23, 3, 3).
        positions: Origins (t, 23, 3) [m].
        notes: How heading and floor were found.
    """

    rotations: Array
    positions: Array
    notes: tuple[str, ...]


def place_on_floor(
    motion: tuple[Array, Array], size: HumanSize, time: Array, options: ReadOptions
) -> PlacedClip:
    """Turn, shift and level a clip.

    Args:
        motion: Rotations (t, 23, 3, 3) and origins (t, 23, 3) [m] of all segments, z
            up, with the file's heading and origin.
        size: The person, for the soles.
        time: (t,) [s].
        options: What the user states about heading and floor.
    """
    rotations, positions, heading = _headed(*motion, options)
    if options.floor is not None:
        positions = positions - [0.0, 0.0, options.floor]
        note = f"floor: {options.floor:g} m in the file, stated"
    else:
        floor = find_floor(_soles(rotations, positions, size), time)
        rotations, positions, note = _levelled(rotations, positions, floor)
    return PlacedClip(rotations=rotations, positions=positions, notes=(heading, note))


def _headed(
    rotations: Array, positions: Array, options: ReadOptions
) -> tuple[Array, Array, str]:
    """Turn the clip about the vertical and start over the origin."""
    found = _heading(rotations[0, SEGMENT_INDEX["Pelvis"]])
    turn, note = -found, f"heading: turned by {np.rad2deg(-found):.1f} deg to face +x"
    if options.heading_deg is not None:
        turn = np.deg2rad(options.heading_deg)
        note = f"heading: turned by {options.heading_deg:g} deg, stated"
    elif options.heading == "keep":
        return rotations, positions, "heading: as in the file"
    R = rotation_z(turn)
    start = positions[0, SEGMENT_INDEX["Pelvis"]] * [1.0, 1.0, 0.0]
    return turned_stack(R, rotations), (positions - start) @ R.T, note


def _heading(world_R_pelvis: Array) -> float:
    """Return where the pelvis faces [rad], however far it is bent.

    From the left axis, which bowing does not move, unless the person lies on a side.
    """
    ahead, left, up = world_R_pelvis.T
    if np.hypot(left[0], left[1]) > 0.5:
        return float(np.arctan2(-left[0], left[1]))
    if np.hypot(ahead[0], ahead[1]) > 0.5:
        return float(np.arctan2(ahead[1], ahead[0]))
    return float(np.arctan2(up[1], up[0]))


def _soles(rotations: Array, positions: Array, size: HumanSize) -> Array:
    """Return heels and toe tips of both feet (t, 4, 3) [m]."""
    points = []
    for side in ("Left", "Right"):
        for tip, segment in ((f"{side}Heel", "Foot"), (f"{side}ToeTip", "Toe")):
            k = SEGMENT_INDEX[f"{side}{segment}"]
            offset = size.tips[tip] - size.joints[f"{side}{segment}"]
            points.append(positions[:, k] + rotations[:, k] @ offset)
    return np.stack(points, axis=1)


def _levelled(
    rotations: Array, positions: Array, floor: Floor
) -> tuple[Array, Array, str]:
    """Level the clip and shift it so that planted soles are at z = 0."""
    note = f"floor: {floor.height:.3f} m in the file, where the soles stand"
    if not floor.slope.any():
        return rotations, positions - [0.0, 0.0, floor.height], note
    level = shortest_rotation(floor.normal, (0.0, 0.0, 1.0))
    positions = (positions - [0.0, 0.0, floor.height]) @ level.T
    angle = np.rad2deg(np.arccos(floor.normal[2]))
    return (
        turned_stack(level, rotations),
        positions,
        f"{note}, {angle:.1f} deg of slope taken out",
    )
