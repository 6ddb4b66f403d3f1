"""Where a robot's hand can go straight ahead: found from its model.

The hand begins before the chest with a bent elbow, and its way ahead is a share of the
arm's length, less where the arm or a joint's limit ends it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel
from telexist.robots.dynamics import BodyState, DynamicsModel

__all__ = ["HandReach", "find_hand_reach"]

BEGINS = [
    np.array([x, aside, z])
    for z in (-0.55, -0.4, -0.7, -0.85)
    for x in (0.3, 0.2, 0.1, 0.0, -0.1)
    for aside in (0.0, 0.15)
]  # of the arm's length, from its first joint: ahead, outwards, up
WAYS = (0.5, 0.42, 0.35, 0.28, 0.2, 0.12)  # of the arm's length, the longest first
PLACES = 9  # along a way
ROUNDS = 60
BEND = 0.4  # of the way to the middle of the joints' ranges, where it searches
DAMPING = 0.05  # of the arm's length, in the least-squares step
RETURN = 0.05  # of the way to the middle of the joints' ranges, in early rounds
GOOD = 1e-3  # [m]
LONGEST = 0.2  # [rad] of a step
STILL = 1e-5  # [rad] of a step that changes nothing any more
MARGIN = 0.07  # of its range that a joint keeps to its limits
STRETCHED = 0.15  # of the arm's length: least motion of the hand by its joints


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReach:
    """A hand's way.

    Attributes:
        side: "left" or "right".
        postures: Along the way, evenly (k, n).
        start: Where the hand is at its begin, from the base, world axes (3,) [m].
        way: To its end (3,) [m].
        arm: Whether each joint is of that arm (n,).
    """

    side: str
    postures: Array
    start: Array
    way: Array
    arm: np.ndarray

    @property
    def q(self) -> Array:
        """The posture at the begin (n,)."""
        return np.array(self.postures[0])

    def posture(self, gone: float) -> tuple[Array, Array]:
        """Return the posture at a share of the way (n,), and its slope by it (n,)."""
        place = min(max(gone, 0.0), 1.0) * (len(self.postures) - 1)
        i = min(int(place), len(self.postures) - 2)
        slope = self.postures[i + 1] - self.postures[i]
        inside = 0.0 <= gone <= 1.0
        rate = slope * (len(self.postures) - 1) if inside else np.zeros_like(slope)
        return self.postures[i] + (place - i) * slope, rate


def find_hand_reach(robot: RobotModel, model: DynamicsModel) -> HandReach:
    """Return the longest way of the right hand, or of the left if there is no other.

    Args:
        robot: The robot.
        model: Its dynamics; is at some posture afterwards.

    Raises:
        BadInput: If it has no hand, or one that cannot go ahead.
    """
    hands = robot.body.hands
    side = "right" if "right" in hands else next(iter(hands), "")
    if not side:
        raise BadInput(f"{robot.body.name} has no hands: nobody can take it by one")
    groups, joints = model.actuators.groups, list(model.joints)
    chain = [j.name for j in robot.urdf.chain(hands[side]) if j.name in joints][::-1]
    chain = [name for name in chain if groups[joints.index(name)] == "arms"]
    if len(chain) < 3:
        raise BadInput(f"{robot.body.name}'s {side} arm has fewer than three joints")
    arm = np.array([name in chain for name in joints])
    solver = _ArmSolver(robot, model, hands[side], arm)
    first = solver.place(robot.urdf.joints[chain[0]].child)
    solver.length = length = _length(robot, model, chain, hands[side])
    outwards = np.array([1.0, 1.0 if side == "left" else -1.0, 1.0])
    begins = [first + length * outwards * begin for begin in BEGINS]
    for share in WAYS:
        way = np.array([share * length, 0.0, 0.0])
        for start in begins:
            postures = solver.along(start, way)
            if postures is not None:
                return HandReach(
                    side=side, postures=postures, start=start, way=way, arm=arm
                )
    raise BadInput(f"{robot.body.name}'s {side} hand cannot go ahead")


def _length(
    robot: RobotModel, model: DynamicsModel, chain: list[str], hand: str
) -> float:
    """Return the arm's length from link to link [m]."""
    links = [robot.urdf.joints[name].child for name in chain]
    links += [hand] if links[-1] != hand else []
    places = np.array([model.position(model.frame(link)) for link in links])
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())


class _ArmSolver:
    """Puts a hand somewhere with its arm alone; the base is at the origin.

    Attributes:
        length: Of the arm [m].
    """

    def __init__(
        self, robot: RobotModel, model: DynamicsModel, hand: str, arm: np.ndarray
    ) -> None:
        body = robot.body
        self._model, self._frame, self._arm = model, model.frame(hand), arm
        self._R = body.neutral.world_R_base
        room = MARGIN * (body.upper - body.lower)
        self._lower, self._upper = body.lower + room, body.upper - room
        self._middle = 0.5 * (body.lower + body.upper)
        self._neutral, self.length = np.array(body.neutral.q), 0.0
        self._neutral[arm] += BEND * (self._middle - self._neutral)[arm]
        self.put(np.array(body.neutral.q))

    def put(self, q: Array) -> None:
        self._q, n = q, len(q)
        zero = np.zeros(3)
        self._model.update(
            BodyState(
                world_p_base=zero,
                world_R_base=self._R,
                q=q,
                world_v_base=zero,
                world_w_base=zero,
                dq=np.zeros(n),
            )
        )

    def place(self, link: str) -> Array:
        return self._model.position(self._model.frame(link))

    def along(self, start: Array, way: Array) -> Array | None:
        """Return the postures along a way (k, n), or None if it cannot be gone."""
        for place in (start, start + way):  # most ways fail at an end
            self.put(self._neutral)
            if self.solve(place) is None:
                return None
        self.put(self._neutral)
        found = []
        for share in np.linspace(0.0, 1.0, PLACES):
            q = self.solve(start + share * way)
            if q is None:
                return None
            found.append(q)
        return np.array(found)

    def solve(self, goal: Array) -> Array | None:
        """Return the posture with the hand there (n,), or None."""
        model, arm = self._model, self._arm
        for i in range(ROUNDS):
            miss = goal - model.position(self._frame)
            J = model.jacobian(self._frame)[:3, 6:][:, arm]
            back = J.T @ np.linalg.inv(
                J @ J.T + (DAMPING * self.length) ** 2 * np.eye(3)
            )
            home = (
                RETURN
                * max(1.0 - 2.0 * i / ROUNDS, 0.0)
                * (self._middle - self._q)[arm]
            )
            step = back @ miss + home - back @ (J @ home)
            step *= min(1.0, LONGEST / max(float(np.linalg.norm(step)), 1e-12))
            q = self._q.copy()
            q[arm] = np.clip(q[arm] + step, self._lower[arm], self._upper[arm])
            still = float(np.abs(q - self._q).max()) < STILL
            self.put(q)
            if still:
                break
        miss = goal - model.position(self._frame)
        if float(np.linalg.norm(miss)) > GOOD:
            return None
        J = model.jacobian(self._frame)[:3, 6:][:, arm]
        least = float(np.linalg.svd(J, compute_uv=False)[-1])
        return self._q if least > STRETCHED * self.length else None
