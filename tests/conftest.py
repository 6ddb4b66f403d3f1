"""What several tests share: recordings and models that are not part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def project_root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of public recordings and models; skip where there is none."""
    named = os.environ.get("TELEXIST_SHARED")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(
            "no public recordings here: put them in ../shared/data beside the "
            "project or name their folder in TELEXIST_SHARED"
        )
    return folder


@pytest.fixture(scope="session")
def shared_motions(shared_data: Path) -> Path:
    return shared_data / "motions"
