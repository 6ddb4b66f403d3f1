"""Finding models: named folders first, then packages; otherwise how to get them."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

import pytest
from telexist.retarget.errors import ModelNotFound
from telexist.robots.description.find import (
    CACHE_VARIABLE,
    FOLDERS_VARIABLE,
    find_model,
    is_present,
)
from telexist.robots.description.library import load_spec
from telexist.robots.description.spec import BaseSpec, ModelSpec, RobotSpec


def spec_of(model: ModelSpec) -> RobotSpec:
    return RobotSpec(name="r", model=model, base=BaseSpec(link="a"), links={})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "r.urdf").write_text("<robot/>", encoding="utf-8")
    return tmp_path


IN_FOLDER = ModelSpec(folders=("none/r.urdf", "sub/r.urdf"))


def test_model_is_found_in_a_named_folder(folder: Path) -> None:
    assert find_model(spec_of(IN_FOLDER), folders=[folder]) == folder / "sub/r.urdf"


def test_model_is_found_through_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDERS_VARIABLE, os.pathsep.join(["", "nowhere", str(folder)]))
    assert find_model(spec_of(IN_FOLDER)) == folder / "sub/r.urdf"


def test_named_folder_wins_over_the_package(folder: Path) -> None:
    model = ModelSpec(
        folders=("sub/r.urdf",),
        package="icub-models",
        path="share/iCub/robots/iCubGazeboV2_5/model.urdf",
    )
    assert find_model(spec_of(model)).name == "model.urdf"
    assert find_model(spec_of(model), folders=[folder]).name == "r.urdf"


def test_default_robot_is_found_in_its_package() -> None:
    path = find_model(load_spec("icub"))
    assert path.is_file()
    assert path.parent.name == "iCubGazeboV2_5"


def test_absent_package_says_what_to_install() -> None:
    model = ModelSpec(package="no-such-package-at-all", path="a.urdf")
    with pytest.raises(ModelNotFound, match="pip install no-such-package-at-all"):
        find_model(spec_of(model))


def test_absent_model_says_in_one_line_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(FOLDERS_VARIABLE, raising=False)
    with pytest.raises(ModelNotFound) as caught:
        find_model(load_spec("atlas"))
    assert "github.com/RobotLocomotion/models" in str(caught.value)
    assert FOLDERS_VARIABLE in str(caught.value)
    assert "\n" not in str(caught.value)


def test_generated_model_is_always_present() -> None:
    assert is_present(load_spec("human66"))
    assert not is_present(spec_of(ModelSpec(path="/nowhere/r.urdf")))


DESCRIBED = ModelSpec(
    folders=("repository/r.urdf",), robot_description="r_description", get="somewhere"
)


class Importing:
    """Stands for importing a module of robot_descriptions, which clones on import."""

    def __init__(self, cache: Path, error: Exception | None = None) -> None:
        self.cache, self.error, self.asked = cache, error, 0

    def __call__(self, name: str) -> ModuleType:
        self.asked += 1
        if self.error is not None:
            raise self.error
        (self.cache / "repository").mkdir()
        (self.cache / "repository" / "r.urdf").write_text("<robot/>", encoding="utf-8")
        return ModuleType(name)


@pytest.fixture
def importing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Importing:
    fake = Importing(tmp_path)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(
        "telexist.robots.description.find.importlib.import_module", fake
    )
    return fake


def test_nothing_is_downloaded_without_consent(importing: Importing) -> None:
    with pytest.raises(ModelNotFound, match="somewhere"):
        find_model(spec_of(DESCRIBED))
    assert importing.asked == 0
    found = find_model(spec_of(DESCRIBED), download=True)
    assert found == importing.cache / "repository/r.urdf"


def test_downloaded_model_is_found_without_asking_again(importing: Importing) -> None:
    find_model(spec_of(DESCRIBED), download=True)
    find_model(spec_of(DESCRIBED))
    assert importing.asked == 1


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ImportError("no module"), "pip install robot_descriptions"),
        (RuntimeError("could not resolve host\nhint: none"), "could not resolve host"),
        (OSError(), "OSError"),
    ],
)
def test_failed_download_is_told_in_one_line(
    importing: Importing, error: Exception, told: str
) -> None:
    importing.error = error
    with pytest.raises(ModelNotFound, match=told) as caught:
        find_model(spec_of(DESCRIBED), download=True)
    assert "\n" not in str(caught.value)
