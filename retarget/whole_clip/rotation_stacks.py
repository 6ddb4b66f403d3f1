"""Stacks of rotations over a clip, in compiled loops.

The vectorised twins in `retarget/so3.py` are the witness in the tests.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from telexist.retarget.compiled import Ints, jit_release_gil
from telexist.retarget.ik import (
    logarithm,
    product,
    product_transposed,
    rotate,
    transposed_product,
)
from telexist.retarget.so3 import Array

__all__ = [
    "FollowedLimbs",
    "FollowedLinks",
    "following_errors",
    "limb_angles",
    "turned_stack",
    "turning_rates",
]


class FollowedLinks(NamedTuple):
    """Which links follow which segments.

    Attributes:
        segments: Place of each of the k segments in the clip (k,).
        links: Place of its link among the robot's links given (k,).
        human_R_robot: The fixed rotation between them (k, 3, 3).
        reference: Segment from which all are seen (1,), -1 for the world.
    """

    segments: Ints
    links: Ints
    human_R_robot: Array
    reference: Ints


class FollowedLimbs(NamedTuple):
    """Which links point along which limbs.

    Attributes:
        starts: Segment at whose origin each of the l limbs begins (l,).
        ends: Segment at whose origin it ends (l,).
        links: Place of its link among the robot's links given (l,).
        directions: Of the limb in the axes of the link (l, 3).
        reference: Segment from which all are seen (1,), -1 for the world.
    """

    starts: Ints
    ends: Ints
    links: Ints
    directions: Array
    reference: Ints


def turning_rates(R: ArrayLike, time: ArrayLike) -> Array:
    """Differentiate rotations (t, k, 3, 3) as `so3.angular_velocities` does.

    Returns:
        Angular velocity in world axes (t, k, 3) [rad/s]; zero for a single sample.
    """
    stack = _given(R)
    rates = np.zeros(stack.shape[:3])
    if len(stack) > 1:
        _turning_rates(stack, _given(time), rates)
    return rates


def turned_stack(R: Array, stack: ArrayLike) -> Array:
    """Return R times every rotation of a stack (t, k, 3, 3)."""
    given = _given(stack)
    turned = np.empty(given.shape)
    _turned_stack(_given(R), given, turned)
    return turned


def following_errors(
    pairs: FollowedLinks, segment_R: ArrayLike, link_R: ArrayLike
) -> tuple[Array, Array, Array]:
    """Return how far links are from the rotations that are wanted of them.

    Args:
        pairs: Which link follows which segment.
        segment_R: `world_R_segment` (t, s, 3, 3).
        link_R: `world_R_link` (t, m, 3, 3).

    Returns:
        The angle (t, k) [rad], tr(I - error) / 2 (t, k), and what is wanted
        (t, k, 3, 3).
    """
    wanted = np.empty((len(np.asarray(link_R)), len(pairs.segments), 3, 3))
    angle, trace = np.empty(wanted.shape[:2]), np.empty(wanted.shape[:2])
    _following_errors(
        pairs, (_given(segment_R), _given(link_R)), (angle, trace, wanted)
    )
    return angle, trace, wanted


def limb_angles(
    limbs: FollowedLimbs, person: tuple[Array, Array], link_R: Array
) -> Array:
    """Return the angles between a person's limbs and a robot's (t, l) [rad].

    Args:
        limbs: Which links play them.
        person: Origins (t, s, 3) [m] and `world_R_segment` (t, s, 3, 3).
        link_R: `world_R_link` (t, m, 3, 3).
    """
    angles = np.empty((len(link_R), len(limbs.links)))
    positions, rotations = person
    given = (_given(positions), _given(rotations), _given(link_R))
    _limb_angles(limbs, given, angles)
    return angles


def _given(values: ArrayLike) -> Array:
    """Return a contiguous read-only view: one type for the compiled code."""
    array = np.ascontiguousarray(values, dtype=np.float64).view()
    array.setflags(write=False)
    return array


@jit_release_gil
def _turning_rates(R: Array, time: Array, rates: Array) -> None:
    step, w = np.empty((3, 3)), np.empty(3)
    before = np.empty(3)
    last = len(R) - 1
    for k in range(R.shape[1]):
        gap = 1.0
        for t in range(last):
            gap_before = gap
            gap = time[t + 1] - time[t]
            product_transposed(R[t + 1, k], R[t, k], step)
            logarithm(step, w)
            for r in range(3):
                w[r] /= gap
                if t == 0:
                    rates[0, k, r] = w[r]
                else:
                    rates[t, k, r] = (before[r] * gap + w[r] * gap_before) / (
                        gap_before + gap
                    )
                before[r] = w[r]
        for r in range(3):
            rates[last, k, r] = before[r]


@jit_release_gil
def _turned_stack(R: Array, stack: Array, turned: Array) -> None:
    for t in range(stack.shape[0]):
        for k in range(stack.shape[1]):
            product(R, stack[t, k], turned[t, k])


@jit_release_gil
def _following_errors(
    pairs: FollowedLinks,
    given: tuple[Array, Array],
    out: tuple[Array, Array, Array],
) -> None:
    segment_R, link_R = given
    angle, trace, wanted = out
    error, seen, w = np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    reference = pairs.reference[0]
    for t in range(len(link_R)):
        for k in range(len(pairs.segments)):
            world_R = segment_R[t, pairs.segments[k]]
            if reference >= 0:
                transposed_product(segment_R[t, reference], world_R, seen)
                product(seen, pairs.human_R_robot[k], wanted[t, k])
            else:
                product(world_R, pairs.human_R_robot[k], wanted[t, k])
            transposed_product(link_R[t, pairs.links[k]], wanted[t, k], error)
            logarithm(error, w)
            angle[t, k] = np.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
            trace[t, k] = (3.0 - error[0, 0] - error[1, 1] - error[2, 2]) / 2.0


@jit_release_gil
def _limb_angles(
    limbs: FollowedLimbs, given: tuple[Array, Array, Array], angles: Array
) -> None:
    positions, segment_R, link_R = given
    line, human, robot = np.empty(3), np.empty(3), np.empty(3)
    reference = limbs.reference[0]
    for t in range(len(link_R)):
        for k in range(len(limbs.links)):
            for r in range(3):
                end = positions[t, limbs.ends[k], r]
                line[r] = end - positions[t, limbs.starts[k], r]
                human[r] = line[r]
            if reference >= 0:
                R = segment_R[t, reference]
                for r in range(3):
                    human[r] = R[0, r] * line[0] + R[1, r] * line[1] + R[2, r] * line[2]
            rotate(link_R[t, limbs.links[k]], limbs.directions[k], robot)
            x = human[1] * robot[2] - human[2] * robot[1]
            y = human[2] * robot[0] - human[0] * robot[2]
            z = human[0] * robot[1] - human[1] * robot[0]
            dot = human[0] * robot[0] + human[1] * robot[1] + human[2] * robot[2]
            angles[t, k] = np.arctan2(np.sqrt(x * x + y * y + z * z), dot)
