"""The operator of a session: the profile to begin with, and new calibrations.

A profile belongs to one kind of source: with another, every rotation of its map would
be wrong. Recordings need none; a recorded session has its own.
"""

from __future__ import annotations

from pathlib import Path

from telexist.calibration import (
    Capture,
    OperatorProfile,
    load_profile,
    operator_names,
    profile_path,
)
from telexist.retarget.errors import BadInput
from telexist.retarget.human_size import HumanSize
from telexist.teleop.devices.base import Device, device_kind
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.session.source_traits import source_traits
from telexist.teleop.terms import Provides, Request

__all__ = ["SessionOperator"]

NAMELESS = "operator"  # who is calibrated without --operator


class SessionOperator:
    """Who is shown by the source of a session.

    Attributes:
        profile: To begin with; None before a calibration.
        keep_as: Name or file for new calibrations; "" if they are not kept.
        source: What showed the operator first, in the user's words: also of a session
            that is played again.
        lines: What the user should read.
    """

    def __init__(self, plan: SessionPlan, source: Device) -> None:
        """Find the operator.

        Raises:
            BadInput: If there is no such operator, or it is not one of this source.
        """
        self._plan, self._device = plan, source
        self._known = source.traits.operator
        self.source, self.keep_as = plan.source, plan.operator or NAMELESS
        if self._known is not None:
            self.source, self.keep_as = self._known.source or plan.source, ""
        self.lines: list[str] = []
        self.profile = self._named() if plan.operator else self._own()

    @property
    def size(self) -> HumanSize | None:
        """The size of a recording's performer."""
        return self._known.size if self._known else None

    @property
    def asks(self) -> frozenset[Request]:
        """What a session that is played again will ask for by itself."""
        return self._known.asks if self._known else frozenset()

    def only_one(self, devices: list[Device]) -> bool:
        """Whether no other device can ask for anything, so that nobody could engage."""
        return not any(
            Provides.REQUESTS in device.provides
            for device in devices
            if not (device.traits.played and device is self._device)
        )

    def capture(self) -> Capture:
        """Begin a calibration; in a session that is played again, the same."""
        again = self._known.capture() if self._known else None
        if again is not None:
            return again
        chosen = self._plan.settings.calibration
        return Capture(
            pose=chosen.pose,
            countdown=chosen.countdown,
            duration=chosen.duration,
            operator=Path(self.keep_as or NAMELESS).stem,
            source=self.source,
            traits=source_traits(self._device),
            height=chosen.height or None,
        )

    def known_size(self) -> HumanSize | None:
        """Return the operator's size if the source has been told it."""
        return self._device.size_hint

    def _own(self) -> OperatorProfile | None:
        """Return the profile that a recording brings."""
        return self._known.profile if self._known else None

    def _named(self) -> OperatorProfile | None:
        """Return the profile of the operator who was named, if there is one yet."""
        name = self._plan.operator
        path = profile_path(name)
        if path.exists():
            profile = load_profile(path)
            self._require_same_kind(profile)
            return profile
        if not self.keep_as:
            raise BadInput(f"--operator {name}: {self._no_need()}")
        known = ", ".join(operator_names()) or "nobody yet"
        self.lines.append(
            f"operator: no profile of '{name}' yet (known: {known}): calibrate to make "
            f"it; it will be kept in {path}"
        )
        return None

    def _require_same_kind(self, profile: OperatorProfile) -> None:
        """Refuse a profile that was made with another kind of source."""
        made, used = device_kind(profile.source), device_kind(self.source)
        if made in ("", used) or used in ("", "session"):
            return
        name = self._plan.operator
        problem = f"--operator {name}: was calibrated with {made}, not with {used}"
        if not self.keep_as:
            raise BadInput(f"{problem}; {self._no_need()}")
        other = f"{Path(name).stem}-{used}"
        raise BadInput(
            f"{problem}: telexist calibrate --source {self._plan.source} "
            f"--operator {other}, then --operator {other}"
        )

    def _no_need(self) -> str:
        return f"{self._device.name} is calibrated already: leave --operator out"
