"""From angles and circumstances to the steps of RULA and REBA, and their scores."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.ergonomics.body_angles import BodyAngles
from telexist.retarget.ergonomics.reba import RebaScore, reba_score
from telexist.retarget.ergonomics.rula import RulaScore, rula_score
from telexist.retarget.ergonomics.settings import ErgonomicSettings

__all__ = ["Circumstances", "reba_of", "rula_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What a posture does not show.

    Attributes:
        load: In both hands together [kg].
        balanced: Both feet carry, or a seat does.
        seated: A seat carries.
        walking: The person walks.
        static: A part was held for a minute: arms, body.
        repeated: A part moves more than four times a minute: arms, body.
        rapid: The trunk changes much within a second.
    """

    load: float = 0.0
    balanced: bool = True
    seated: bool = False
    walking: bool = False
    static: tuple[bool, bool] = (False, False)
    repeated: tuple[bool, bool] = (False, False)
    rapid: bool = False


def rula_of(
    angles: BodyAngles, s: int, now: Circumstances, settings: ErgonomicSettings
) -> RulaScore:
    """Judge the posture with one arm.

    Args:
        angles: The posture.
        s: 0 left, 1 right.
        now: Load, legs, use of muscles.
        settings: What is assumed.
    """
    extra = [
        _force_points(now, part) + int(now.static[part] or now.repeated[part])
        for part in (0, 1)
    ]
    return rula_score(
        upper_arm=_upper_arm(angles, s, settings, rotated=False),
        lower_arm=_lower_arm(angles, s) + int(_aside(angles, s, settings)),
        wrist=_rula_wrist(angles, s, settings),
        wrist_twist=2 if angles.forearm_twist[s] > settings.end_of_range_deg else 1,
        neck=_rula_neck(angles, settings),
        trunk=_rula_trunk(angles, now, settings),
        legs=1 if now.balanced else 2,
        arm_extra=extra[0],
        body_extra=extra[1],
    )


def reba_of(
    angles: BodyAngles, s: int, now: Circumstances, settings: ErgonomicSettings
) -> RebaScore:
    """Judge the posture with one arm; see `rula_of`."""
    wrist = 1 if angles.wrist[s] <= 15.0 else 2
    turned = angles.forearm_twist[s] > settings.end_of_range_deg
    wrist += int(angles.wrist_side[s] > settings.wrist_deviated_deg or turned)
    activity = int(any(now.static)) + int(any(now.repeated)) + int(now.rapid)
    return reba_score(
        trunk=_reba_trunk(angles, settings),
        neck=_reba_neck(angles, settings),
        legs=_reba_legs(angles, now),
        upper_arm=_upper_arm(angles, s, settings, rotated=True),
        lower_arm=_lower_arm(angles, s),
        wrist=wrist,
        load=0 if now.load < 5.0 else 1 if now.load <= 10.0 else 2,
        coupling=settings.coupling_points if now.load >= settings.least_load else 0,
        activity=activity,
    )


def _force_points(now: Circumstances, part: int) -> int:
    """Return RULA's points for a load; a static or repeated one counts more."""
    if now.load < 2.0:
        return 0
    lasting = now.static[part] or now.repeated[part]
    if now.load <= 10.0:
        return 2 if lasting else 1
    return 3 if lasting else 2


def _upper_arm(
    angles: BodyAngles, s: int, settings: ErgonomicSettings, *, rotated: bool
) -> int:
    angle = angles.upper_arm[s]
    if -20.0 <= angle <= 20.0:
        score = 1
    elif angle <= 45.0:  # also: more than 20 degrees backwards
        score = 2
    else:
        score = 3 if angle <= 90.0 else 4
    out = angles.abduction[s] > settings.abducted_deg
    turned = rotated and angles.arm_twist[s] > settings.rotated_deg
    return score + int(out or turned) + int(angles.shoulder[s] > settings.raised_deg)


def _lower_arm(angles: BodyAngles, s: int) -> int:
    return 1 if 60.0 <= angles.elbow[s] <= 100.0 else 2


def _aside(angles: BodyAngles, s: int, settings: ErgonomicSettings) -> bool:
    """Return whether the hand works beyond the middle or out to the side."""
    return bool(
        angles.hand_across[s] > 0.0 or angles.hand_out[s] > settings.to_the_side
    )


def _rula_wrist(angles: BodyAngles, s: int, settings: ErgonomicSettings) -> int:
    bent = angles.wrist[s]
    score = 1 if bent <= settings.wrist_neutral_deg else 2 if bent <= 15.0 else 3
    return score + int(angles.wrist_side[s] > settings.wrist_deviated_deg)


def _rula_neck(angles: BodyAngles, settings: ErgonomicSettings) -> int:
    if angles.neck < -settings.neck_extended_deg:
        score = 4
    else:
        score = 1 if angles.neck <= 10.0 else 2 if angles.neck <= 20.0 else 3
    return score + sum(_bent(angles.neck_side, angles.neck_twist, settings))


def _rula_trunk(
    angles: BodyAngles, now: Circumstances, settings: ErgonomicSettings
) -> int:
    lean = abs(angles.trunk)
    upright = 20.0 if now.seated else settings.upright_deg  # a back rest carries
    score = 1 if lean <= upright else 2 if lean <= 20.0 else 3 if lean <= 60.0 else 4
    return score + sum(_bent(angles.trunk_side, angles.trunk_twist, settings))


def _bent(side: float, twist: float, settings: ErgonomicSettings) -> tuple[bool, bool]:
    return side > settings.side_bent_deg, twist > settings.twisted_deg


def _reba_neck(angles: BodyAngles, settings: ErgonomicSettings) -> int:
    straight = -settings.neck_extended_deg <= angles.neck <= 20.0
    bent = any(_bent(angles.neck_side, angles.neck_twist, settings))
    return (1 if straight else 2) + int(bent)


def _reba_trunk(angles: BodyAngles, settings: ErgonomicSettings) -> int:
    lean = angles.trunk
    if abs(lean) <= settings.upright_deg:
        score = 1
    elif -20.0 <= lean <= 20.0:
        score = 2
    else:
        score = 3 if lean <= 60.0 else 4  # also: more than 20 degrees backwards
    bent = any(_bent(angles.trunk_side, angles.trunk_twist, settings))
    return score + int(bent)


def _reba_legs(angles: BodyAngles, now: Circumstances) -> int:
    score = 1 if now.balanced or now.walking else 2
    bent = float(angles.knee.max())
    if now.seated or bent < 30.0:
        return score
    return score + (1 if bent <= 60.0 else 2)
