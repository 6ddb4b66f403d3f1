"""The folder of machine code: one for each state of the sources, always writable."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest
from telexist.retarget import compiled
from telexist.retarget.compiled import cache_folder


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Look for a folder anew, in a home of this test; forget it afterwards."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    cache_folder.cache_clear()
    yield
    cache_folder.cache_clear()


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a copy of the package whose sources may be changed."""
    copy = tmp_path / "retarget"
    for part in ("ik", "follow"):
        shutil.copytree(Path(compiled.__file__).parent / part, copy / part)
    monkeypatch.setattr(compiled, "__file__", str(copy / "compiled.py"))
    return copy


def test_the_folder_is_in_the_users_cache(tmp_path: Path) -> None:
    folder = cache_folder()
    assert folder.parent == tmp_path / "cache" / "telexist"
    assert folder.is_dir()


def test_unchanged_sources_have_the_same_folder(package: Path) -> None:
    first = cache_folder()
    cache_folder.cache_clear()
    assert cache_folder() == first


@pytest.mark.parametrize("source", ["ik/bounded.py", "follow/feet.py"])
def test_a_change_in_any_source_changes_the_folder(source: str, package: Path) -> None:
    """A function may be inlined into another file's: numba would not see the change."""
    first = cache_folder()
    cache_folder.cache_clear()
    with (package / source).open("a", encoding="utf-8") as file:
        file.write("\n# changed\n")
    assert cache_folder() != first


def test_another_version_of_numba_has_another_folder(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cache_folder()
    cache_folder.cache_clear()
    monkeypatch.setattr(numba, "__version__", "0.0.1")
    assert cache_folder() != first


def test_a_cache_that_cannot_be_made_falls_back_to_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, not a folder", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    assert cache_folder().parent == tmp_path / "home" / ".cache" / "telexist"


def test_without_any_home_the_folder_is_temporary(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setattr(compiled.tempfile, "tempdir", str(tmp_path))
    folder = cache_folder()
    assert folder.parent == tmp_path
    assert folder.is_dir()
    cache_folder.cache_clear()
    assert cache_folder() == folder, "other processes find the same"
    folder.chmod(0o777)
    cache_folder.cache_clear()
    assert cache_folder() != folder, "anybody could have put code there"


def test_code_counts_as_compiled_once_there_is_some() -> None:
    assert not compiled.is_cached()
    (cache_folder() / "robots").mkdir()
    (cache_folder() / "robots" / "a.nbc").write_bytes(b"code")
    assert not compiled.is_cached(), "the engine is what takes long"
    (cache_folder() / "follow").mkdir()
    (cache_folder() / "follow" / "a.nbc").write_bytes(b"code")
    assert compiled.is_cached()
    assert not compiled.is_cached("whole_body")
    assert compiled.is_cached("robots")


def test_compiling_leaves_the_cache_folder_of_others_alone() -> None:
    others = numba.config.CACHE_DIR
    compiled.jit_internal(lambda x: x)
    assert others == numba.config.CACHE_DIR
