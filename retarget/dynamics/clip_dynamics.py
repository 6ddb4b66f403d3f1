"""The estimate over a whole recording, from what is known at each frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.dynamics.person_model import PersonModel
from telexist.retarget.dynamics.person_motion import GRAVITY, PersonMotion
from telexist.retarget.dynamics.plates_to_feet import FeltForces
from telexist.retarget.dynamics.sole_contacts import AIRBORNE_CONTACT, SoleContacts
from telexist.retarget.dynamics.torque_estimator import TorqueEstimator
from telexist.retarget.dynamics.trust import FEET, Trust, let_hold
from telexist.retarget.dynamics.world_answer import (
    moments_of,
    spine_force,
    wrenches_of,
)
from telexist.retarget.errors import BadInput
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["BodyDynamics", "body_dynamics", "mass_from_plates"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyDynamics:
    """What the body does, over time; every number with its standard deviation.

    Attributes:
        time: (t,) [s].
        torques: Along the joints' axes (t, n) [N m].
        torques_sd: (t, n).
        moments: Of the neighbour towards the pelvis on each segment, in the axes of
            that neighbour (t, 23, 3) [N m].
        moments_sd: (t, 23, 3).
        wrenches: Of the outside on each segment, world axes at its origin (t, 23, 6).
        wrenches_sd: (t, 23, 6).
        contact: Whether left and right foot carry weight (t, 2).
        measured: Whether the wrench of a foot was measured (t, 2).
        spine_force: What presses L5 on the sacrum, along L5 (t,) [N].
        spine_force_sd: (t,).
    """

    time: Array
    torques: Array
    torques_sd: Array
    moments: Array
    moments_sd: Array
    wrenches: Array
    wrenches_sd: Array
    contact: NDArray[np.bool_]
    measured: NDArray[np.bool_]
    spine_force: Array
    spine_force_sd: Array

    @property
    def efforts(self) -> Array:
        """Norm of the moment of each joint (t, 23) [N m], [T] 6.2.2 corrected."""
        norms: Array = np.linalg.norm(self.moments, axis=2)
        return norms


def body_dynamics(
    person: PersonModel,
    motion: PersonMotion,
    soles: SoleContacts,
    forces: FeltForces | None,
    trust: Trust | None = None,
) -> BodyDynamics:
    """Estimate torques and wrenches at every frame.

    Args:
        person: Size and mass.
        motion: How they move.
        soles: What the soles may carry.
        forces: What was measured under the feet, or None.
        trust: Standard deviations of what goes in.
    """
    trust = trust or Trust()
    estimator = TorqueEstimator(person)
    t, n = motion.q.shape
    links = len(SEGMENTS)
    out = {
        "torques": np.zeros((t, n)),
        "torques_sd": np.zeros((t, n)),
        "moments": np.zeros((t, links, 3)),
        "moments_sd": np.zeros((t, links, 3)),
        "wrenches": np.zeros((t, links, 6)),
        "wrenches_sd": np.zeros((t, links, 6)),
        "spine_force": np.zeros(t),
        "spine_force_sd": np.zeros(t),
    }
    known = estimator.known
    known.ddq_variance[:] = trust.joint_acceleration**2
    weights = np.repeat([trust.base_linear, trust.base_angular], 3) ** -2.0
    known.information[0] = np.diag(weights)
    for k in range(t):
        known.q[:], known.dq[:] = motion.q[k], motion.dq[k]
        known.ddq[:], known.pelvis_w[:] = motion.ddq[k], motion.pelvis_w[k]
        known.information_vector[0] = weights * motion.pelvis_a[k]
        for s, foot in enumerate(FEET):
            R = motion.rotations[k, foot]
            if forces is not None and forces.measured[k, s]:
                known.wrench[foot] = np.concatenate(
                    [forces.wrench[k, s, :3] @ R, forces.wrench[k, s, 3:] @ R]
                )
                known.wrench_cov[foot] = np.diag(
                    np.repeat([trust.foot_force, trust.foot_moment], 3) ** 2.0
                )
            else:
                known.wrench[foot] = 0.0
                known.wrench_cov[foot] = soles.covariance[k, s] + (
                    trust.foot_force / 4.0
                ) ** 2 * np.diag([1.0, 1.0, 1.0, 0.1, 0.1, 0.1])
        let_hold(known.wrench_cov, motion.rotations[k], person, trust)
        estimator.step()
        _store(estimator, motion.rotations[k], out, k)
    contact = soles.confidence > AIRBORNE_CONTACT
    measured = np.zeros((t, 2), dtype=bool)
    if forces is not None:
        contact, measured = forces.contact, forces.measured
    return BodyDynamics(time=motion.time, contact=contact, measured=measured, **out)


def _store(
    estimator: TorqueEstimator, rotations: Array, out: dict[str, Array], k: int
) -> None:
    """Write one frame, in the axes that people read."""
    out["torques"][k] = estimator.tau
    out["torques_sd"][k] = np.sqrt(estimator.tau_variance)
    out["moments"][k], out["moments_sd"][k] = moments_of(estimator)
    out["wrenches"][k], out["wrenches_sd"][k] = wrenches_of(estimator, rotations)
    out["spine_force"][k], out["spine_force_sd"][k] = spine_force(estimator)


def mass_from_plates(
    person: PersonModel, motion: PersonMotion, forces: FeltForces
) -> float | None:
    """Return the mass that the plates felt [kg], or None if they never felt all of it.

    Force over acceleration of the centre of mass, while all contacts were measured.
    """
    whole = forces.measured.all(axis=1) & forces.contact.any(axis=1)
    whole &= np.sum(forces.wrench[:, :, 2], axis=1) > 0.0
    if whole.sum() < 20:
        return None
    com = np.einsum(
        "l,tla->ta",
        person.link_mass / person.mass,
        motion.positions + np.einsum("tlij,lj->tli", motion.rotations, person.com),
    )
    rate = (len(motion.time) - 1) / (motion.time[-1] - motion.time[0])
    up = np.gradient(np.gradient(com[:, 2], 1.0 / rate), 1.0 / rate) + GRAVITY
    mass = float(forces.wrench[whole][:, :, 2].sum() / up[whole].sum())
    if not 5.0 < mass < 400.0:
        raise BadInput(
            f"the plates felt {mass:.1f} kg, which is nobody: state the mass"
        )
    return mass
