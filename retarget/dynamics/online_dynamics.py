"""A person's dynamics as they move: frames and forces in, one estimate a frame out.

All that goes in is taken at the same moment, a stated lag before the newest frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.dynamics.foot_wrench import foot_knowledge
from telexist.retarget.dynamics.force_track import ForcesAt, ForceTrack
from telexist.retarget.dynamics.local_fit import LocalFit, MiddleFit
from telexist.retarget.dynamics.person_model import PersonModel, person_model
from telexist.retarget.dynamics.person_motion import (
    GRAVITY,
    both_angles,
    nearest_angles,
    nearest_rotations,
    spin,
)
from telexist.retarget.dynamics.sole_contacts import (
    SIDES,
    SoleContacts,
    judge_soles,
    sole_points,
)
from telexist.retarget.dynamics.torque_estimator import TorqueEstimator
from telexist.retarget.dynamics.trust import FEET, HANDS, Trust, let_hold
from telexist.retarget.dynamics.world_answer import (
    moments_of,
    spine_force,
    wrenches_of,
)
from telexist.retarget.errors import BadFrame
from telexist.retarget.human import ADULT_MASS
from telexist.retarget.human_size import HumanSize
from telexist.retarget.person_dynamics import (
    GroundForces,
    PersonDynamics,
    SensorState,
)
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array

__all__ = ["LAG", "Moment", "OnlineDynamics"]

LAG = 0.06  # [s]
LINKS = len(SEGMENTS)
WEIGHING = 1.0  # [s] of standing still on sensors after which the mass is known
STILL = 0.3  # [m/s^2] of the centre of mass, and
SLOW = 0.05  # [m/s] of the pelvis, while a person stands still


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What was estimated at one moment, and of what.

    Attributes:
        dynamics: Torques, wrenches, loads.
        rotations: `world_R_segment` (23, 3, 3).
        positions: Of the segments' origins (23, 3) [m].
        forces: What sensors said, and which of them can be believed.
        spine_force: What presses L5 on the sacrum, along L5, and its deviation [N].
    """

    dynamics: PersonDynamics
    rotations: Array
    positions: Array
    forces: ForcesAt
    spine_force: tuple[float, float]


class OnlineDynamics:
    """Estimates one person's dynamics, frame by frame.

    Attributes:
        person: The model; its mass may be found while the person stands on sensors.
        notes: What was found, one line each; whoever reads them empties the list.
    """

    def __init__(
        self,
        size: HumanSize,
        mass: float | None = None,
        *,
        lag: float = LAG,
        trust: Trust | None = None,
    ) -> None:
        """Prepare for one person.

        Args:
            size: Joints in N-pose.
            mass: [kg]; None: an adult's, until sensors under both feet tell it.
            lag: Between the newest frame and the moment that is estimated [s].
            trust: Standard deviations of what goes in.
        """
        self.notes: list[str] = []
        self._trust = trust or Trust()
        self._track = ForceTrack()
        self._fit = LocalFit(lag)
        self._weigh = mass is None
        self._weights: list[tuple[float, float]] = []
        self._take_person(person_model(size, mass or ADULT_MASS))

    def _take_person(self, person: PersonModel) -> None:
        self.person = person
        self._estimator = TorqueEstimator(person)
        known = self._estimator.known
        trust = self._trust
        known.ddq_variance[:] = trust.joint_acceleration**2
        self._base = np.repeat([trust.base_linear, trust.base_angular], 3) ** -2.0
        known.information[0] = np.diag(self._base)
        self._q = np.zeros((LINKS - 1, 3))
        self._lowest: tuple[tuple[int, int], Array] | None = None
        self._points = [sole_points(person, side) for side in SIDES]

    def put_forces(self, forces: GroundForces) -> None:
        """Take what sensors under the feet said."""
        self._track.add(forces)

    def put_frame(self, frame: HumanFrame) -> None:
        """Take a frame; all 23 segments, N-pose is the identity.

        Raises:
            BadFrame: If a segment is missing, or something is not finite.
        """
        frame.require_finite()
        if frame.segments != SEGMENTS:
            missing = [name for name in SEGMENTS if name not in frame.segments]
            raise BadFrame(
                f"torques need all 23 segments: {', '.join(missing[:4])} not shown"
                if missing
                else "the segments come in another order"
            )
        if self._fit.empty:
            self._lowest = None
        positions = frame.positions
        if positions is None:
            positions = self._placed(frame.rotations)
        values = np.concatenate(
            [
                self._angles(frame.rotations),
                frame.rotations.ravel(),
                positions.ravel(),
            ]
        )
        self._fit.add(frame.stamp, frame.sequence, values)

    def _angles(self, rotations: Array) -> Array:
        """Return the joints' angles (66,): where there are three axes, exactly."""
        person = self.person
        R = np.swapaxes(rotations[person.parent[1:]], 1, 2) @ rotations[1:]
        self._q = nearest_angles(both_angles(R, person.axes[1:]), self._q)
        return self._q.ravel()

    def _placed(self, rotations: Array) -> Array:
        """Place a person of whom only rotations are known: the lowest point rests.

        That is how base velocity follows from contacts, [L] (7)-(10).
        """
        places = self.person.size.positions(rotations, np.zeros(3))
        soles = np.array(
            [
                places[foot] + points @ rotations[foot].T
                for foot, points in zip(FEET, self._points, strict=True)
            ]
        )
        s, k = np.unravel_index(int(np.argmin(soles[:, :, 2])), soles.shape[:2])
        lowest, before = (int(s), int(k)), self._lowest
        if before is None:
            shift = np.array([0.0, 0.0, -soles[s, k, 2]])
        else:
            shift = before[1] - soles[before[0]]
            shift[2] = -soles[s, k, 2]
        self._lowest = (lowest, soles[s, k] + shift)
        return places + shift

    def step(self) -> Moment | None:
        """Estimate the moment a lag before the newest frame; None before the first.

        Raises:
            BadInput: If what is known contradicts itself beyond numbers.
        """
        fit = self._fit.read()
        if fit is None:
            return None
        n = self.person.n
        rotations = nearest_rotations(fit.value[n : n + 9 * LINKS].reshape(LINKS, 3, 3))
        positions = fit.value[n + 9 * LINKS :].reshape(LINKS, 3)
        self._tell_motion(fit, rotations)
        soles = judge_soles(
            self.person,
            rotations[None],
            positions[None],
            lambda foot, points: _velocities(fit, n, foot, points)[None],
        )
        weight = self.person.mass * GRAVITY
        forces = self._track.at(fit.time, soles.confidence[0], weight)
        self._tell_contacts(rotations, positions, soles, forces)
        self._estimator.step()
        dynamics = self._answer(fit, rotations, positions, soles, forces)
        if self._weigh:
            self._weigh_person(fit, forces)
        return Moment(
            dynamics=dynamics,
            rotations=rotations,
            positions=positions,
            forces=forces,
            spine_force=spine_force(self._estimator),
        )

    def _tell_motion(self, fit: MiddleFit, rotations: Array) -> None:
        n, known = self.person.n, self._estimator.known
        known.q[:], known.dq[:] = fit.value[:n], fit.first[:n]
        known.ddq[:] = fit.second[:n]
        pelvis = slice(n, n + 9)
        R = rotations[0]
        known.pelvis_w[:] = spin(R.T @ fit.first[pelvis].reshape(3, 3))
        turning = spin(R.T @ fit.second[pelvis].reshape(3, 3))
        place = slice(n + 9 * LINKS, n + 9 * LINKS + 3)
        felt = R.T @ (fit.second[place] + [0.0, 0.0, GRAVITY])
        reading = np.concatenate([felt, turning])
        known.information_vector[0] = self._base * reading

    def _tell_contacts(
        self, rotations: Array, positions: Array, soles: SoleContacts, forces: ForcesAt
    ) -> None:
        known, trust = self._estimator.known, self._trust
        slack = (trust.foot_force / 4.0) ** 2 * np.diag([1.0, 1, 1, 0.1, 0.1, 0.1])
        for s, foot in enumerate(FEET):
            if forces.status[s] is SensorState.OK:
                known.wrench[foot], known.wrench_cov[foot] = foot_knowledge(
                    self.person, s, rotations[foot], positions[[foot, 0]], forces
                )
            else:
                known.wrench[foot] = 0.0
                known.wrench_cov[foot] = soles.covariance[0, s] + slack
        let_hold(known.wrench_cov, rotations, self.person, trust)

    def _answer(
        self,
        fit: MiddleFit,
        rotations: Array,
        positions: Array,
        soles: SoleContacts,
        forces: ForcesAt,
    ) -> PersonDynamics:
        estimator, feet, hands = self._estimator, list(FEET), list(HANDS)
        moments, moments_sd = moments_of(estimator)
        wrenches, wrenches_sd = wrenches_of(estimator, rotations)
        return PersonDynamics(
            stamp=fit.time,
            lag=fit.lag,
            mass=self.person.mass,
            q=fit.value[: self.person.n],
            torques=estimator.tau,
            torques_sd=np.sqrt(estimator.tau_variance),
            moments=moments,
            moments_sd=moments_sd,
            foot_wrenches=wrenches[feet],
            foot_wrenches_sd=wrenches_sd[feet],
            foot_points=_pressure(
                wrenches[feet], positions[feet], self.person.mass * GRAVITY
            ),
            contact=soles.confidence[0],
            measured=np.array(
                [float(status is SensorState.OK) for status in forces.status]
            ),
            hand_loads=-wrenches[hands, 2] / GRAVITY,
            hand_loads_sd=wrenches_sd[hands, 2] / GRAVITY,
            seat_force=wrenches[[0], 2],
            seat_force_sd=wrenches_sd[[0], 2],
        )

    def _weigh_person(self, fit: MiddleFit, forces: ForcesAt) -> None:
        """Take the mass from the sensors, once the person has stood still on them."""
        n, links = self.person.n, self.person.link_mass / self.person.mass
        place = slice(n + 9 * LINKS, None)
        rising = links @ fit.second[place].reshape(LINKS, 3)
        moving = fit.first[place].reshape(LINKS, 3)[0]
        both = all(status is SensorState.OK for status in forces.status)
        told = bool(np.isfinite(forces.deviation[:, 2]).all())
        calm = np.linalg.norm(rising) < STILL and np.linalg.norm(moving) < SLOW
        total = float(forces.wrench[:, 2].sum())
        if not (both and told and calm and total > 5.0 * GRAVITY):
            self._weights.clear()
            return
        self._weights.append((fit.time, total / (GRAVITY + float(rising[2]))))
        if fit.time - self._weights[0][0] < WEIGHING:
            return
        mass = float(np.mean([weight for _, weight in self._weights]))
        self._weigh = False
        q = self._q
        self._take_person(person_model(self.person.size, mass))
        self._q = q
        self.notes.append(f"mass {mass:.1f} kg, from the sensors under the feet")


def _velocities(fit: MiddleFit, n: int, link: int, points: Array) -> Array:
    """Return how points (k, 3) of a link move, world axes (k, 3) [m/s]."""
    turning = fit.first[n + 9 * link : n + 9 * link + 9].reshape(3, 3)
    place = n + 9 * LINKS + 3 * link
    velocities: Array = fit.first[place : place + 3] + points @ turning.T
    return velocities


def _pressure(wrenches: Array, ankles: Array, weight: float) -> Array:
    """Return where the ground's forces act on the floor (2, 3) [m].

    That is where the moment about the level axes vanishes; below the ankle for a foot
    that carries next to nothing.
    """
    points = ankles * [1.0, 1.0, 0.0]
    for s, (wrench, ankle) in enumerate(zip(wrenches, ankles, strict=True)):
        fx, fy, fz, mx, my, _ = wrench
        if fz > 0.05 * weight:
            shift = np.array([-(my + ankle[2] * fx), mx - ankle[2] * fy]) / fz
            points[s, :2] += np.clip(shift, -0.25, 0.25)
    return points
