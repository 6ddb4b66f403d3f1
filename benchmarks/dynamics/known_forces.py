"""A motion whose forces are known exactly, and the same told with noise."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.dynamics import (
    PersonModel,
    PersonMotion,
    TorqueEstimator,
    person_model,
    person_motion,
    read_person,
)
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array

__all__ = ["KnownForces", "known_forces"]

GRAVITY = 9.81
MASS = 70.0  # [kg]
FEET = (SEGMENT_INDEX["LeftFoot"], SEGMENT_INDEX["RightFoot"])
HANDS = (SEGMENT_INDEX["LeftHand"], SEGMENT_INDEX["RightHand"])
PALM = np.array([0.0, 0.0, -0.09])  # in the hand [m]
FORCE_NOISE, MOMENT_NOISE = 2.0, 0.3  # [N], [N m] of a foot
JOINT_NOISE, BASE_NOISE = 0.5, 0.1  # [rad/s^2]; [m/s^2], [rad/s^2]
HAND_SPREAD = np.diag([15.0**2, 15.0**2, 100.0**2])  # [N^2] in the world
STEP = 5  # frames of the clip from one to the next


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An estimate over the motion.

    Attributes:
        torques: (t, n) [N m].
        torques_sd: (t, n).
        feet: Forces in the feet's axes (t, 2, 3) [N].
        hands: Load in both hands (t,) [kg].
        hands_sd: Of one hand (t,) [kg].
    """

    torques: Array
    torques_sd: Array
    feet: Array
    hands: Array
    hands_sd: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownForces:
    """Truth, and the noise with which it is told.

    Attributes:
        person: The model.
        motion: The built-in motion, every fifth frame.
        load: In both hands together [kg].
        torques: True ones (t, n) [N m].
        wrenches: True wrenches of the feet, own axes (t, 2, 6).
        measured: The same with noise.
        ddq: Joint accelerations with noise (t, n).
        pelvis_a: Acceleration of the pelvis with noise (t, 6).
    """

    person: PersonModel
    motion: PersonMotion
    load: float
    torques: Array
    wrenches: Array
    measured: Array
    ddq: Array
    pelvis_a: Array

    @property
    def feet(self) -> Array:
        """True forces of the feet (t, 2, 3) [N]."""
        return self.wrenches[..., :3]

    @property
    def measured_feet(self) -> Array:
        """Forces of the feet with noise (t, 2, 3) [N]."""
        return self.measured[..., :3]

    def tell(self, estimator: TorqueEstimator, k: int) -> None:
        """Write frame k as it was measured."""
        known, motion = estimator.known, self.motion
        known.q[:], known.dq[:] = motion.q[k], motion.dq[k]
        known.ddq[:], known.pelvis_w[:] = self.ddq[k], motion.pelvis_w[k]
        known.ddq_variance[:] = JOINT_NOISE**2
        known.information[0] = np.eye(6) / BASE_NOISE**2
        known.information_vector[0] = self.pelvis_a[k] / BASE_NOISE**2
        for s, foot in enumerate(FEET):
            known.wrench[foot] = self.measured[k, s]

    def estimate(
        self,
        *,
        base: str = "Pelvis",
        foot_force: float = FORCE_NOISE,
        foot_moment: float = MOMENT_NOISE,
        hands: bool = False,
    ) -> Found:
        """Estimate the whole motion from what was measured."""
        estimator = TorqueEstimator(self.person, base=base)
        known = estimator.known
        for foot in FEET:
            spread = np.repeat([foot_force, foot_moment], 3)
            known.wrench_cov[foot] = np.diag(np.square(spread))
        frames = range(len(self.torques))
        found: dict[str, list[Array]] = {name: [] for name in Found.__slots__}
        for k in frames:
            self.tell(estimator, k)
            for hand in HANDS:
                R = self.motion.rotations[k, hand]
                if hands:
                    known.wrench_cov[hand] = _at_palm(R.T @ HAND_SPREAD @ R)
                else:
                    known.wrench[hand] = _held(R, self.load)
            estimator.step()
            found["torques"].append(estimator.tau.copy())
            found["torques_sd"].append(np.sqrt(estimator.tau_variance))
            found["feet"].append(estimator.wrench[list(FEET), :3].copy())
            down = [
                -(self.motion.rotations[k, hand] @ estimator.wrench[hand, :3])[2]
                for hand in HANDS
            ]
            found["hands"].append(np.array(sum(down) / GRAVITY))
            R = self.motion.rotations[k, HANDS[0]]
            spread = R @ estimator.wrench_cov[HANDS[0], :3, :3] @ R.T
            found["hands_sd"].append(np.sqrt(spread[2, 2]) / GRAVITY)
        return Found(**{name: np.array(values) for name, values in found.items()})


def _held(world_R_hand: Array, load: float) -> Array:
    """Return what half a load does to a hand (6,)."""
    force = world_R_hand.T @ np.array([0.0, 0.0, -0.5 * load * GRAVITY])
    return np.concatenate([force, np.cross(PALM, force)])


def _at_palm(force: Array) -> Array:
    x, y, z = PALM
    lever = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    J = np.concatenate([np.eye(3), lever])
    cov: Array = J @ force @ J.T + np.diag([1e-4] * 3 + [0.3**2] * 3)
    return cov


def known_forces(load: float) -> KnownForces:
    """Let both feet carry what the motion and a load in the hands need."""
    clip = read_person(Path("builtin")).clip
    person = person_model(clip.size, MASS)
    motion = person_motion(clip, person)
    motion = PersonMotion(
        **{name: getattr(motion, name)[::STEP] for name in PersonMotion.__slots__}
    )
    t = len(motion.time)
    rng = np.random.default_rng(0)
    truth = KnownForces(
        person=person,
        motion=motion,
        load=load,
        torques=np.zeros((t, person.n)),
        wrenches=np.zeros((t, 2, 6)),
        measured=np.zeros((t, 2, 6)),
        ddq=motion.ddq,
        pelvis_a=motion.pelvis_a,
    )
    estimator = TorqueEstimator(person)
    for k in range(t):
        truth.tell(estimator, k)
        estimator.known.ddq_variance[:] = 1e-8
        estimator.known.information[0] *= 1e8
        estimator.known.information_vector[0] *= 1e8
        for foot in FEET:
            estimator.known.wrench_cov[foot] = 1e4 * np.eye(6)
        for hand in HANDS:
            estimator.known.wrench[hand] = _held(motion.rotations[k, hand], load)
            estimator.known.wrench_cov[hand] = 1e-8 * np.eye(6)
        estimator.step_means()
        truth.torques[k] = estimator.tau
        truth.wrenches[k] = estimator.wrench[list(FEET)]
    noise = np.repeat([FORCE_NOISE, MOMENT_NOISE], 3) * rng.normal(size=(t, 2, 6))
    return KnownForces(
        person=person,
        motion=motion,
        load=load,
        torques=truth.torques,
        wrenches=truth.wrenches,
        measured=truth.wrenches + noise,
        ddq=motion.ddq + JOINT_NOISE * rng.normal(size=motion.ddq.shape),
        pelvis_a=motion.pelvis_a + BASE_NOISE * rng.normal(size=(t, 6)),
    )
