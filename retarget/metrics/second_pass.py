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
    """The motion before the second pass and after it."""

    before: PassFigures
    after: PassFigures

    def to_json(self) -> dict[str, object]:
        """Return plain tables."""
        return {"before": self.before.to_json(), "after": self.after.to_json()}
