"""A new profile takes the place of an older one, which is kept under a number."""

from __future__ import annotations

from pathlib import Path

from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.profile_file import save_profile
from telexist.retarget.errors import CannotWrite

__all__ = ["replace_profile"]

MOST = 999  # older profiles of one operator


def replace_profile(profile: OperatorProfile, path: Path) -> Path | None:
    """Save a profile as `anna.toml`; one that is there becomes `anna-1.toml`, or -2.

    Returns:
        Where the older profile is now; None if there was none.

    Raises:
        CannotWrite: Naming the path and the reason. Nothing is lost then.
    """
    older = _keep(path) if path.is_file() else None
    save_profile(profile, path)
    return older


def _keep(path: Path) -> Path:
    """Copy a file to the first free number beside it."""
    try:
        data = path.read_bytes()
        for number in range(1, MOST + 1):
            kept = path.with_stem(f"{path.stem}-{number}")
            try:
                with kept.open("xb") as file:
                    file.write(data)
            except FileExistsError:
                continue
            return kept
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotWrite(f"{path}: cannot be kept: {reason}") from error
    raise CannotWrite(f"{path}: has {MOST} older versions: remove some")
