"""Compression of the disc between L5 and S1: one muscle's lever and the axial force."""

from __future__ import annotations

from telexist.retarget.errors import BadInput

__all__ = ["LIMIT", "lumbar_compression"]

LIMIT = 3400.0  # [N] NIOSH's action limit; disputed as one number for all people
LEVER = 0.055  # [m] of the back's extensors; 0.05 to 0.06 in single-muscle models


def lumbar_compression(moment: float, axial: float, *, lever: float = LEVER) -> float:
    """Return the compression [N].

    Args:
        moment: That the back's muscles make, any direction, as a norm [N m].
        axial: Force that the trunk puts on the pelvis along the spine [N].
        lever: Of the muscles [m].

    Raises:
        BadInput: If the lever is not positive.
    """
    if not lever > 0.0:
        raise BadInput(f"the lever of the back's muscles must be positive, not {lever}")
    return abs(moment) / lever + axial
