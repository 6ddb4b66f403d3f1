"""Keeps what a session calibrates, for other sessions, without holding up its loop."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from telexist.calibration import OperatorProfile, profile_path, replace_profile
from telexist.teleop.terms import Tick

__all__ = ["ProfileKeeper"]


class ProfileKeeper:
    """A sink that saves every new profile and tells where it is."""

    def __init__(
        self,
        operator: str,
        in_use: Callable[[], OperatorProfile | None],
        note: Callable[[str, str, float], None],
        *,
        known: OperatorProfile | None = None,
    ) -> None:
        """Prepare.

        Args:
            operator: Name or file under which profiles are kept.
            in_use: Gives the profile that is in use.
            note: Told kind, reason and time [s] of an event.
            known: The profile with which the session begins; it is there already.
        """
        self._operator, self._in_use, self._note = operator, in_use, note
        self._known = known
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="operator profile")
        self._saving: Future[str] | None = None

    def put(self, tick: Tick) -> None:
        """Begin to save what is new; tell what has been saved."""
        profile = self._in_use()
        if profile is not None and profile is not self._known:
            self._known = profile
            self._saving = self._writer.submit(self._save, profile)
        if self._saving is not None and self._saving.done():
            saving, self._saving = self._saving, None
            error = saving.exception()
            if error is None:
                self._note("profile_saved", saving.result(), tick.stamp)
            else:
                reason = f"{error}; the calibration holds for this session only"
                self._note("profile_not_saved", reason, tick.stamp)

    def close(self) -> None:
        """Wait until all is on the disk; may be called twice."""
        self._writer.shutdown()

    def _save(self, profile: OperatorProfile) -> str:
        path = profile_path(self._operator)
        older = replace_profile(profile, path)
        kept = "" if older is None else f"; the older one is {older.name}"
        return f"{path}; next time: --operator {self._operator}{kept}"
