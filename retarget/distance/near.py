"""Which solids are near each other or the floor now, as rows and spots of a step.

A row bounds by how much two solids may get nearer in one step: by a share of what is
left, so that they come to rest softly (a velocity damper), whatever the rate. What is
nearer than allowed is led apart at a moderate speed. Beside the nearest points of a
pair, those of both ends of either solid get a row, so that limbs that lie along each
other do not rock.

Most pairs are far apart most of the time. How far their bodies move adds up, seen from
the base; until that could have used up what was between them, nobody looks at them.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Ints, Record, Records, jit_internal
from telexist.retarget.distance.records import Nearness
from telexist.retarget.distance.separation import corner_in_world, separation
from telexist.retarget.so3 import Array

__all__ = ["aim_row", "find_low", "find_near", "keep_statuses"]

AWAY = 0.05  # [m] beyond the allowed distance: farther solids get no row
CLOSE = 0.004  # [m] beyond that: nearer ones get one even while nothing moves
HORIZON = 5.0  # steps, as long as the last ones, ahead of which a row is needed
CALMING = 0.8  # share of its pace that a group of pairs keeps from step to step
CONTACT = 0.003  # [m] from which solids touch, and their ends are looked at, too
PARTED = 0.012  # [m] from which they no longer do
SOFTNESS = 0.02  # [s] in which a pair gets nearer by a factor e at most
LEAST = 0.01  # [m] more than any distance that is asked for
RETURN = 0.3  # [m/s] at which solids that are too near are led apart
LOW = 0.05  # [m] over the floor from which a body is not looked at
APART = 0.03  # [m] between two corners of a body that keep it off the floor
FREE = 0  # as in the solver: neither bound


@jit_internal
def _left(gap: float, least: float, dt: float) -> float:
    """Return the distance that must be left at the end of a step."""
    if gap < least:
        return min(least, gap + RETURN * dt)
    return least + (gap - least) * np.exp(-dt / SOFTNESS)


@jit_internal
def _slot(rows: Records, first: int, count: int, excess: float) -> int:
    """Return a row to fill: a new one, or that of the pair farthest away; or -1."""
    if first + count < len(rows):
        return first + count
    worst = first
    for k in range(first, len(rows)):
        if rows[k].excess > rows[worst].excess:
            worst = k
    return worst if rows[worst].excess > excess else -1


@jit_internal
def _to_body(own: Record, place: Array, out: Array) -> None:
    """Fill a place in the world as the body has it."""
    R, p = own.R, own.p
    for c in range(3):
        out[c] = 0.0
        for r in range(3):
            out[c] += R[r, c] * (place[r] - p[r])


@jit_internal
def _look(
    bodies: Records,
    near: Nearness,
    number: int,
    part: int,
    spans: Ints,
    dt: float,
) -> tuple[float, float]:
    """Find the distance of a pair, or of an end of it, and what must be left of it.

    Returns:
        How far it is beyond what is allowed, and what must be left [m].
    """
    pair, s = near.pairs[number], near.search[0]
    one, other = near.solids[pair.one], near.solids[pair.other]
    spans[0], spans[1], spans[2] = one.body, one.first, one.end
    spans[3], spans[4], spans[5] = other.body, other.first, other.end
    if part == 1:
        spans[2] = one.low_end
    elif part == 2:
        spans[1] = one.high_end
    elif part == 3:
        spans[5] = other.low_end
    elif part == 4:
        spans[4] = other.high_end
    for r in range(3):
        s.way[r] = pair.way[r]
    round_ = one.radius + other.radius
    enough = round_ + pair.least + AWAY
    gap = separation(bodies, near.corners, spans, enough, s) - round_
    return gap - pair.least, _left(gap, pair.least, dt)


@jit_internal
def _fill_row(
    bodies: Records, near: Nearness, number: int, part: int, row: Record
) -> None:
    pair, s = near.pairs[number], near.search[0]
    one, other = near.solids[pair.one], near.solids[pair.other]
    row.pair, row.part = number, part
    row.one, row.other = one.body, other.body
    row.roundness = one.radius + other.radius
    row.status = pair.status[part]
    for r in range(3):
        row.way[r] = s.way[r]
    _to_body(bodies[one.body], s.near_one, row.place_one)
    _to_body(bodies[other.body], s.near_other, row.place_other)


@jit_internal
def _gap_of_balls(one: Record, other: Record) -> float:
    """Return the distance between two balls."""
    square = 0.0
    for r in range(3):
        away = other.world[r] - one.world[r]
        square += away * away
    return np.sqrt(square) - one.reach - other.reach


@jit_internal
def _follow_ball(base: Record, own: Record, ball: Record) -> None:
    """Find where a ball is, and how far it can have moved, seen from the base."""
    corner_in_world(own, ball.middle, ball.world)
    moved, turned = 0.0, 0.0
    for r in range(3):
        p = 0.0
        for k in range(3):
            p += base.R[k, r] * (ball.world[k] - base.p[k])
        moved += (p - ball.base_p[r]) ** 2
        ball.base_p[r] = p
        for c in range(3):
            R = 0.0
            for k in range(3):
                R += base.R[k, r] * own.R[k, c]
            turned += (R - ball.base_R[r, c]) ** 2
            ball.base_R[r, c] = R
    # of a rotation matrix: the root of 2 times the angle, or a little less
    ball.moved = np.sqrt(moved) + ball.reach * np.sqrt(turned)


@jit_internal
def _look_at(
    bodies: Records,
    near: Nearness,
    number: int,
    need: float,
    rows: Records,
    first: int,
    count: int,
    dt: float,
) -> tuple[int, float]:
    """Fill rows for a pair if it is near; return how many there are, and its excess."""
    pair = near.pairs[number]
    one, other = near.solids[pair.one], near.solids[pair.other]
    nearest = _gap_of_balls(one, other) - pair.least
    if nearest > AWAY:
        return count, nearest
    if pair.way[0] == 0.0 and pair.way[1] == 0.0 and pair.way[2] == 0.0:
        _towards(one, other, pair.way)
    for part in range(5 if pair.ends != 0 else 1):
        if part == 0 or pair.touches != 0:
            excess, left = _look(bodies, near, number, part, near.spans, dt)
            if part == 0:
                nearest = excess
                limit = CONTACT if pair.touches == 0 else PARTED
                pair.touches = 1 if excess < limit else 0
                for r in range(3):
                    pair.way[r] = near.search[0].way[r]
            slot = _slot(rows, first, count, excess) if excess < need else -1
            if slot >= 0:
                count = min(count + 1, len(rows) - first)
                _fill_row(bodies, near, number, part, rows[slot])
                rows[slot].excess, rows[slot].left = excess, left
        pair.status[part] = FREE
    return count, nearest


@jit_internal
def _towards(one: Record, other: Record, out: Array) -> None:
    """Fill the unit vector from the middle of one ball to that of another."""
    square = 1e-18
    for r in range(3):
        out[r] = other.world[r] - one.world[r]
        square += out[r] * out[r]
    for r in range(3):
        out[r] /= np.sqrt(square)


@jit_internal
def find_near(
    bodies: Records, near: Nearness, rows: Records, first: int, dt: float
) -> int:
    """Fill rows for all pairs that are near; return how many.

    Args:
        bodies: In place.
        near: The solids.
        rows: Of the solver.
        first: The first that is free for this.
        dt: Length of the step [s].
    """
    for solid in near.solids:
        corner_in_world(bodies[solid.body], solid.middle, solid.world)
    for ball in near.balls:
        _follow_ball(bodies[0], bodies[ball.body], ball)
    count = 0
    for group in near.groups:
        one, other = near.balls[group.one], near.balls[group.other]
        step = one.moved + other.moved
        group.travel += step
        group.pace = max(step, CALMING * group.pace)
        need = min(max(CLOSE, HORIZON * group.pace), AWAY)
        if group.due > group.travel + need:
            continue
        gap = _gap_of_balls(one, other)
        if gap > AWAY:
            group.due = group.travel + gap - LEAST
            continue
        group.due = np.inf
        for number in range(group.first, group.end):
            pair = near.pairs[number]
            if pair.due <= group.travel + need:
                count, excess = _look_at(
                    bodies, near, number, need, rows, first, count, dt
                )
                pair.due = group.travel + excess
            group.due = min(group.due, pair.due)
    return count


@jit_internal
def aim_row(bodies: Records, row: Record) -> None:
    """Find how far the points of a row may come nearer; the bodies may have moved."""
    base, gap = bodies[0], -row.roundness
    corner_in_world(bodies[row.one], row.place_one, row.arm)
    corner_in_world(bodies[row.other], row.place_other, row.other_arm)
    for r in range(3):
        gap += row.way[r] * (row.other_arm[r] - row.arm[r])
        row.arm[r] -= base.p[r]
        row.other_arm[r] -= base.p[r]
    row.low, row.high = row.left - gap, np.inf


@jit_internal
def keep_statuses(near: Nearness, rows: Records, first: int, count: int) -> None:
    """Keep which rows were active: the next step begins with them."""
    for k in range(first, first + count):
        near.pairs[rows[k].pair].status[rows[k].part] = rows[k].status


@jit_internal
def _height(own: Record, c: Array) -> float:
    return own.p[2] + own.R[2, 0] * c[0] + own.R[2, 1] * c[1] + own.R[2, 2] * c[2]


@jit_internal
def _fill_spot(spot: Record, solid: Record, c: Array, height: float, dt: float) -> None:
    spot.body = solid.body
    for r in range(3):
        spot.point[r] = c[r]
    spot.radius = solid.radius + _left(height, 0.0, dt)


@jit_internal
def _lowest(own: Record, near: Nearness, body: int) -> tuple[int, int, float]:
    """Return the lowest corner of a body, its solid, and how high that reaches down."""
    best, on, lowest = 0, 0, np.inf
    for number in range(len(near.solids)):
        solid = near.solids[number]
        if solid.body != body:
            continue
        for k in range(solid.first, solid.end):
            height = _height(own, near.corners[k]) - solid.radius
            if height < lowest:
                best, on, lowest = k, number, height
    return best, on, lowest


@jit_internal
def _farthest_low(
    own: Record, near: Nearness, body: int, point: Array
) -> tuple[int, int]:
    """Return the low corner of a body farthest from a point, or -1, and its solid."""
    best, on, farthest = -1, 0, APART * APART
    for number in range(len(near.solids)):
        solid = near.solids[number]
        if solid.body != body:
            continue
        for k in range(solid.first, solid.end):
            square = 0.0
            for r in range(3):
                square += (near.corners[k, r] - point[r]) ** 2
            low = _height(own, near.corners[k]) - solid.radius < LOW
            if low and square > farthest:
                best, on, farthest = k, number, square
    return best, on


@jit_internal
def find_low(
    bodies: Records, near: Nearness, floor: Records, first: int, dt: float
) -> int:
    """Fill spots for the bodies that are near the floor; return how many.

    Of each its lowest corner, and the one farthest from that among those as low.

    Args:
        bodies: In place; the middles of solids and balls known.
        near: The solids.
        floor: Spots of the solver.
        first: The first that is free for this.
        dt: Length of the step [s].
    """
    count = 0
    for ball in near.balls:
        if ball.guarded == 0 or ball.world[2] - ball.reach > LOW:
            continue
        best, on, lowest = _lowest(bodies[ball.body], near, ball.body)
        if lowest > LOW or first + count >= len(floor):
            continue
        point = near.corners[best]
        _fill_spot(floor[first + count], near.solids[on], point, lowest, dt)
        count += 1
        second, on = _farthest_low(bodies[ball.body], near, ball.body, point)
        if second >= 0 and first + count < len(floor):
            point = near.corners[second]
            height = _height(bodies[ball.body], point) - near.solids[on].radius
            _fill_spot(floor[first + count], near.solids[on], point, height, dt)
            count += 1
    return count
