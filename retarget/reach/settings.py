"""How a person is followed of whom only head and hands are seen."""

from __future__ import annotations

from dataclasses import dataclass, field

from telexist.retarget.ik import IkSettings

__all__ = ["ReachSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachSettings:
    """Weights of the targets; those of places are squared errors [1/m^2].

    Attributes:
        ik: Settings of the inverse kinematics; joints without a target are drawn to
            the neutral posture, more firmly than by a whole body.
        hand: Weight of a hand's place.
        hand_turn: Weight of a hand's orientation [1/rad^2].
        elbow: Weight of an elbow's place, where a tracker shows it.
        elbow_guess: Weight of its place where it is guessed from the hand.
        head: Weight of the head's orientation [1/rad^2].
        chest: Weight of the chest's orientation [1/rad^2]: reaching far must not bend
            the trunk much.
        knee: Weight of a knee's place, where it is guessed.
        foot: Weight of a sole's place.
        foot_turn: Weight of a sole's orientation [1/rad^2].
        base_speed: At which the base may follow a pelvis tracker [m/s].
        base_turning: At which the base may turn with it [rad/s].
    """

    ik: IkSettings = field(default_factory=lambda: IkSettings(posture=1e-3))
    hand: float = 300.0
    hand_turn: float = 0.5
    elbow: float = 20.0
    elbow_guess: float = 10.0
    head: float = 1.0
    chest: float = 300.0
    knee: float = 1e3
    foot: float = 3e3
    foot_turn: float = 1e3
    base_speed: float = 1.0
    base_turning: float = 2.0
