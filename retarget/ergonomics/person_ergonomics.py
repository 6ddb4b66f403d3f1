"""All scores of one person, sample by sample: live and over recordings alike."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
from telexist.retarget.ergonomics.body_angles import BodyAngles, body_angles
from telexist.retarget.ergonomics.lifts import HandLift, HandPlace, LiftFinder
from telexist.retarget.ergonomics.lumbar import lumbar_compression
from telexist.retarget.ergonomics.motion_history import MotionHistory
from telexist.retarget.ergonomics.posture_scores import (
    Circumstances,
    reba_of,
    rula_of,
)
from telexist.retarget.ergonomics.settings import ErgonomicSettings
from telexist.retarget.ergonomics.strength import (
    StrengthShare,
    require_strengths,
    strength_share,
)
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array

__all__ = ["ErgonomicSample", "ErgonomicScores", "PersonErgonomics", "hand_place"]

GRAVITY = 9.81  # [m/s^2]
HANDS = tuple(SEGMENT_INDEX[f"{side}Hand"] for side in ("Left", "Right"))
FEET = tuple(SEGMENT_INDEX[f"{side}Foot"] for side in ("Left", "Right"))
L5, T8 = SEGMENT_INDEX["L5"], SEGMENT_INDEX["T8"]
KNUCKLES = 0.08  # [m] from the wrist to where the manual measures
SEATED = 0.3  # of the weight on a seat
STEP = 0.5  # [s] over which speeds are taken
CALM = 0.02  # [m] that the chest moves meanwhile, at the most: nearly still


@dataclass(frozen=True, slots=True, kw_only=True)
class ErgonomicSample:
    """What is known of a person at one moment.

    Attributes:
        time: [s].
        mass: Of the body [kg].
        rotations: `world_R_segment` (23, 3, 3).
        positions: Of the segments' origins (23, 3) [m].
        moments: On each segment, in its neighbour's axes (23, 3) [N m].
        moments_sd: (23, 3).
        foot_forces: Upwards, on left and right (2,) [N].
        hand_loads: In left and right (2,) [kg]; NaN where the hands count as empty.
        hand_loads_sd: (2,).
        seat_force: Upwards [N].
        spine_force: That presses L5 on S1, along the spine [N].
        spine_force_sd: Its deviation.
    """

    time: float
    mass: float
    rotations: Array
    positions: Array
    moments: Array
    moments_sd: Array
    foot_forces: Array
    hand_loads: Array
    hand_loads_sd: Array
    seat_force: float
    spine_force: float
    spine_force_sd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ErgonomicScores:
    """What a moment comes to.

    Attributes:
        time: [s].
        angles: The posture.
        rula: With the left arm, with the right (2,), 1 to 7.
        reba: The same (2,), 1 to 15.
        compression: Of the disc between L5 and S1 [N].
        compression_sd: Its deviation, with the lever taken as exact.
        load: Held in both hands [kg]; 0 with empty hands.
        lift: What goes on or was last, or None.
        lifts: How many there were.
        strength: The joint that needs most of its strength.
    """

    time: float
    angles: BodyAngles
    rula: tuple[int, int]
    reba: tuple[int, int]
    compression: float
    compression_sd: float
    load: float
    lift: HandLift | None
    lifts: int
    strength: StrengthShare


class PersonErgonomics:
    """Scores one person; samples come in order of time.

    Attributes:
        settings: What is assumed.
        finder: Of lifts.
    """

    def __init__(self, settings: ErgonomicSettings | None = None) -> None:
        """Begin.

        Raises:
            UnknownName: If a strength is stated of something unknown.
        """
        self.settings = settings or ErgonomicSettings()
        require_strengths(self.settings)
        self.finder = LiftFinder(self.settings)
        self._history = MotionHistory(self.settings)
        self._places: deque[tuple[float, Array]] = deque()

    def step(self, sample: ErgonomicSample) -> ErgonomicScores:
        """Score a moment."""
        settings = self.settings
        angles = body_angles(sample.rotations, sample.positions)
        self._history.add(sample.time, angles)
        place = hand_place(sample.rotations, sample.positions)
        spread = float(np.linalg.norm(sample.hand_loads_sd))
        total = float(sample.hand_loads.sum())
        speed, moved = self._motion(sample)
        self.finder.add(sample.time, total, spread, place, calm=moved < CALM)
        now = self._circumstances(sample, speed)
        moment = sample.moments[L5]
        bending = float(np.linalg.norm(moment))
        along = sample.moments_sd[L5] * moment / max(bending, 1e-9)
        return ErgonomicScores(
            time=sample.time,
            angles=angles,
            rula=_both(*(rula_of(angles, s, now, settings).grand for s in (0, 1))),
            reba=_both(*(reba_of(angles, s, now, settings).grand for s in (0, 1))),
            compression=lumbar_compression(
                bending, sample.spine_force, lever=settings.lever
            ),
            compression_sd=math.hypot(
                float(np.linalg.norm(along)) / settings.lever, sample.spine_force_sd
            ),
            load=now.load,
            lift=self.finder.current,
            lifts=self.finder.count,
            strength=strength_share(
                sample.moments,
                sample.moments_sd,
                mass=sample.mass,
                knees=angles.knee,
                settings=settings,
            ),
        )

    def _circumstances(self, sample: ErgonomicSample, speed: float) -> Circumstances:
        weight = sample.mass * GRAVITY
        feet = np.maximum(sample.foot_forces, 0.0)
        seated = sample.seat_force > SEATED * weight
        even = feet.min() >= self.settings.even_share * max(feet.sum(), 1.0)
        history = self._history
        return Circumstances(
            load=self.settings.stated_load or self.finder.held,
            balanced=bool(seated or even),
            seated=bool(seated),
            walking=speed > self.settings.walking_speed,
            static=history.static,
            repeated=history.repeated,
            rapid=history.rapid,
        )

    def _motion(self, sample: ErgonomicSample) -> tuple[float, float]:
        """Return the speed of the pelvis [m/s] and how far the chest moved [m]."""
        kept = self._places
        if kept and sample.time <= kept[-1][0]:
            kept.clear()
        kept.append((sample.time, sample.positions[[0, T8]]))
        while kept[0][0] < sample.time - STEP:
            kept.popleft()
        span = sample.time - kept[0][0]
        if span < 0.5 * STEP:
            return 0.0, math.inf
        ahead, left, _ = (kept[-1][1][0] - kept[0][1][0]) / span
        chest = np.array([places[1] for _, places in kept])
        return math.hypot(ahead, left), float(np.ptp(chest, axis=0).max())


def hand_place(rotations: Array, positions: Array) -> HandPlace:
    """Return where the knuckles are, from the middle between the ankles."""
    knuckles = [
        positions[hand] - KNUCKLES * rotations[hand][:, 2]  # hands hang in N-pose
        for hand in HANDS
    ]
    hands = np.mean(knuckles, axis=0)
    reach = (hands - np.mean(positions[list(FEET)], axis=0))[:2]
    ahead = np.sum([rotations[foot][:2, 0] for foot in FEET], axis=0)
    turn = math.atan2(ahead[0] * reach[1] - ahead[1] * reach[0], float(ahead @ reach))
    return HandPlace(
        horizontal=float(np.linalg.norm(reach)),
        height=float(hands[2]),
        asymmetry_deg=math.degrees(turn) if np.linalg.norm(reach) > 0.05 else 0.0,
    )


def _both(left: int, right: int) -> tuple[int, int]:
    return left, right
