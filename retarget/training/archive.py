"""NumPy archives and tables in memory."""

from __future__ import annotations

import io

import numpy as np

__all__ = ["archive", "table"]


def archive(**arrays: np.ndarray) -> bytes:
    """Return an `.npz`; equal arrays give equal bytes."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]  # its own keyword is a bool
    return buffer.getvalue()


def table(
    rows: np.ndarray, *, header: str = "", digits: int = 8, first: str = ""
) -> bytes:
    """Return a table separated by commas, one line a row.

    Args:
        rows: Numbers (t, k).
        header: First line; none if empty.
        digits: Behind the point.
        first: Format of the first column, where it is another: `%d`.
    """
    text = io.StringIO()
    kinds = [f"%.{digits}f"] * rows.shape[1]
    if first:
        kinds[0] = first
    np.savetxt(text, rows, fmt=kinds, delimiter=",", header=header, comments="")
    return text.getvalue().encode("utf-8")
