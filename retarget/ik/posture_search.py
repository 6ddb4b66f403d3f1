"""A posture for given targets, wherever the robot is now: for starts and large errors.

A step goes straight towards its targets and may be caught in a corner of the limits.
Here the joints between each two links with wanted orientations are looked for from many
starts; the whole robot is then led to its targets from there, without regard to speed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.ik.chain_search import search_chain
from telexist.retarget.ik.limits import StepBounds
from telexist.retarget.ik.mechanism import Mechanism
from telexist.retarget.ik.recursive_ik import RecursiveIk
from telexist.retarget.ik.settings import IkSettings
from telexist.retarget.ik.targets import Targets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array, exp_so3, log_so3

__all__ = ["FoundPosture", "PostureSearch", "orientation_errors"]

TRIES = 60  # random starts of a chain
STEPS = 30  # towards the targets afterwards
REACH = 0.3  # [rad] or [m] that a joint may move in each of them
SETTINGS = IkSettings(gain=1e9, posture=1e-9, damping=1e-7)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPosture:
    """Where a search ended.

    Attributes:
        configuration: Inside all limits.
        error: Largest orientation error of a link with a wanted orientation [rad].
    """

    configuration: Configuration
    error: float


def orientation_errors(body: RobotBody, at: Configuration, targets: Targets) -> Array:
    """Return how far the links with a wanted orientation are from it (k,) [rad]."""
    wanted = targets.orientations
    body.kinematics.update(at)
    now = np.swapaxes(body.kinematics.rotations(wanted.frames), -1, -2)
    errors = np.linalg.norm(log_so3(wanted.world_R_link @ now), axis=-1)
    return np.where(wanted.weights.any(axis=-1), errors, 0.0)


class PostureSearch:
    """Looks for postures of one robot."""

    def __init__(self, body: RobotBody) -> None:
        """Prepare for a robot."""
        self._body, self._ik = body, RecursiveIk(body, SETTINGS)
        self._shares = np.random.default_rng(0).random((TRIES, body.kinematics.n))

    def find(self, start: Configuration, targets: Targets) -> FoundPosture:
        """Find a posture that meets the targets, near to `start` if there are several.

        Args:
            start: Where the robot is.
            targets: Wanted; chains are found by orientations, places come after.

        Raises:
            BadInput: If the start or a target is not finite.
        """
        mechanism = self._ik.prepare(targets)
        bodies = mechanism.bodies
        bodies["q"][1:] = start.q
        bodies[0]["R"], bodies[0]["p"] = start.world_R_base, start.world_p_base
        guess = Configuration(
            world_p_base=start.world_p_base,
            world_R_base=start.world_R_base,
            q=np.clip(start.q, bodies["lower"][1:], bodies["upper"][1:]),
        )
        found = [self._led(guess, targets)]
        if found[0].error > REACH * 1e-3:
            found.append(self._led(self._assembled(guess, mechanism), targets))
        return min(found, key=lambda one: one.error)

    def _assembled(self, guess: Configuration, mechanism: Mechanism) -> Configuration:
        """Return the posture whose chains are solved one by one, from the base."""
        bodies, q = mechanism.bodies, guess.q.copy()
        R = {0: guess.world_R_base}
        if not self._body.fixed_base:
            R[0] = _base_rotation(mechanism, guess)
        targets = mechanism.orientations[
            np.argsort(mechanism.orientations["body"], kind="stable")
        ]
        for target in targets:
            if not target["weight"].any() or int(target["body"]) in R:
                continue
            chain, carrier = _chain(bodies, int(target["body"]), R)
            R[int(target["body"])] = np.array(target["rotation"])
            if len(chain) == 0 or bodies["ball"][chain].any():
                continue  # a ball joint has no limits to be caught in
            best, shares = np.empty(len(chain)), self._shares[:, : len(chain)]
            wanted = R[int(target["body"])]
            search_chain(bodies, chain, R[carrier], wanted, shares, best)
            q[chain - 1] = best
        return Configuration(world_p_base=guess.world_p_base, world_R_base=R[0], q=q)

    def _led(self, guess: Configuration, targets: Targets) -> FoundPosture:
        """Lead a posture to the targets, without regard to speed."""
        at, roles = guess, self._ik.prepare(targets).bodies[1:]
        for _ in range(STEPS):
            bounds = StepBounds(
                lower=np.clip(roles["lower"] - at.q, -REACH, 0.0),
                upper=np.clip(roles["upper"] - at.q, 0.0, REACH),
            )
            after = self._ik.step(at, targets, 1.0, bounds=bounds)
            still = np.abs(after.q - at.q).max(initial=0.0) < 1e-9
            at = after
            if still:
                break
        errors = orientation_errors(self._body, at, targets)
        return FoundPosture(configuration=at, error=float(errors.max(initial=0.0)))


def _chain(
    bodies: NDArray[np.void], tip: int, known: dict[int, Array]
) -> tuple[NDArray[np.int64], int]:
    """Return the bodies from a known one to the tip, and the known one."""
    chain, at = [], tip
    while at not in known:
        chain.append(at)
        at = int(bodies["parent"][at])
    return np.array(chain[::-1], dtype=np.int64), at


def _base_rotation(mechanism: Mechanism, guess: Configuration) -> Array:
    """Return the base's orientation that its own, or the nearest, target asks for."""
    targets = mechanism.orientations[mechanism.orientations["weight"].any(axis=(1, 2))]
    if len(targets) == 0:
        return guess.world_R_base
    first = targets[int(np.argmin(targets["body"]))]
    if int(first["body"]) == 0:
        return np.array(first["rotation"])
    chain, _ = _chain(mechanism.bodies, int(first["body"]), {0: guess.world_R_base})
    base_R_first = np.eye(3)
    for i in chain:
        base_R_first = base_R_first @ _joint_rotation(mechanism.bodies[i])
    return np.asarray(first["rotation"] @ base_R_first.T)


def _joint_rotation(own: np.void) -> Array:
    turn = 0.0 if own["slides"] else own["q"]
    return np.asarray(own["rest_R"] @ exp_so3(turn * own["axis"]))
