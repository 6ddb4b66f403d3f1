"""What the second pass over a clip cost, and what it gained."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.metrics.balance import BalanceReport

__all__ = ["PassFigures", "SecondPassReport"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassFigures:
    """One motion in few numbers.

    Attributes:
        limb_error_deg: Mean angle between the person's limbs and the robot's; None for
            a robot without limbs.
        jerk_rms: Third difference of the joints [rad/s^3]; None below 4 frames.
        balance: What floor and drives would have to give; None if unknown.
    """

    limb_error_deg: float | None
    jerk_rms: float | None
    balance: BalanceReport | None

    def to_json(self) -> dict[str, object]:
        """Return plain tables, units in the keys."""
        return {
            "limb_direction_error_deg": self.limb_error_deg,
            "jerk_rms_rad_s3": self.jerk_rms,
            "balance": self.balance.to_json() if self.balance else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondPassReport:
    """The motion before the second pass and after it.

    Attributes:
        before: As the engine gave it.
        after: As it is saved: the same if the pass was not kept.
        kept: Whether the motion is that of the pass.
        refusals: Why its first, and its second try were refused.
    """

    before: PassFigures
    after: PassFigures
    kept: bool = True
    refusals: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """What is to be said of it; "" if all went well."""
        if not self.refusals:
            return ""
        if self.kept:
            return f"second pass: soles held more stiffly, for {self.refusals[0]}"
        return f"second pass not kept, the motion is kinematic: {self.refusals[-1]}"

    def to_json(self) -> dict[str, object]:
        """Return plain tables."""
        return {
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "kept": self.kept,
            "refusals": list(self.refusals),
        }
