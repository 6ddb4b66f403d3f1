"""What several tests share: recordings and models that are not part of the project."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from telexist.retarget.errors import ModelNotFound
from telexist.retarget.robot_body import RobotBody
from telexist.robots.description.robot_model import RobotModel, load_body, load_robot

ROOT = Path(__file__).resolve().parents[1]

# The same examples in every run, however long a busy machine takes over each.
settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def project_root() -> Path:
    return ROOT


@pytest.fixture(autouse=True, scope="session")
def operators(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what tests calibrate away from the operators of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


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


@cache
def _loaded(name: str) -> RobotBody | None:
    named = os.environ.get("TELEXIST_SHARED")
    data = Path(named) if named else ROOT.parent / "shared" / "data"
    try:
        return load_body(name, [data / "robots"])
    except ModelNotFound:
        return None


@pytest.fixture(scope="session")
def body_of() -> Callable[[str], RobotBody]:
    """Return a loader of shipped robots; it skips where there is no model."""

    def load(name: str) -> RobotBody:
        body = _loaded(name)
        if body is None:
            pytest.skip(f"the model of {name} is not on this machine")
        return body

    return load


@cache
def _loaded_robot(name: str) -> RobotModel | None:
    named = os.environ.get("TELEXIST_SHARED")
    data = Path(named) if named else ROOT.parent / "shared" / "data"
    try:
        return load_robot(name, [data / "robots"])
    except ModelNotFound:
        return None


@pytest.fixture(scope="session")
def robot_of() -> Callable[[str], RobotModel]:
    """Return a loader of shipped robots with all that is known of them."""

    def load(name: str) -> RobotModel:
        robot = _loaded_robot(name)
        if robot is None:
            pytest.skip(f"the model of {name} is not on this machine")
        return robot

    return load
