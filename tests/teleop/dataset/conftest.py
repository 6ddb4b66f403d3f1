"""A small set of clips: two folders, a copy, a part of another, one that is damaged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from telexist.retarget.recordings import read_clip
from telexist.retarget.recordings.npz.clip_file import save_clip
from telexist.retarget.signals import HumanClip
from telexist.teleop.dataset import (
    BuildOptions,
    BuildResult,
    DatasetPlace,
    DatasetSettings,
    build_dataset,
)


class Silent:
    """Watches and says nothing."""

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def frames(self, stem: str, done: int, total: int) -> None:
        pass

    def finished(self, outcome: object) -> None:
        pass


Build = Callable[..., BuildResult]


@pytest.fixture(scope="session")
def build() -> Build:
    def run(
        folder: Path, *sources: Path, options: BuildOptions | None = None, **settings
    ) -> BuildResult:
        made = DatasetSettings(
            sources=tuple(map(str, sources)), **{"robots": ("human66",), **settings}
        )
        options = options or BuildOptions()
        return build_dataset(DatasetPlace(folder), made, options, lambda *_: Silent())

    return run


def part_of(clip: HumanClip, begin: int, end: int, every: int = 1) -> HumanClip:
    rows = slice(begin, end, every)
    return replace(
        clip,
        time=clip.time[rows] - clip.time[rows][0],
        rotations=clip.rotations[rows],
        angular_velocities=clip.angular_velocities[rows],
        positions=clip.positions[rows],
        linear_velocities=clip.linear_velocities[rows],
    )


@pytest.fixture(scope="session")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder: what `b` has of `a` is to be found."""
    folder = tmp_path_factory.mktemp("recordings")
    for name in ("a", "b"):
        (folder / name).mkdir()
    whole = read_clip("builtin")
    save_clip(folder / "a" / "walk.npz", part_of(whole, 60, 300))
    save_clip(folder / "a" / "reach.npz", part_of(whole, 900, 1140))
    (folder / "b" / "copy.npz").write_bytes((folder / "a" / "walk.npz").read_bytes())
    save_clip(folder / "b" / "part.npz", part_of(whole, 85, 300, every=2))
    save_clip(folder / "b" / "walk.npz", part_of(whole, 1500, 1740))
    data = (folder / "a" / "walk.npz").read_bytes()
    (folder / "b" / "broken.npz").write_bytes(data[: len(data) // 2])
    return folder


@pytest.fixture(scope="session")
def built(
    build: Build, recordings: Path, tmp_path_factory: pytest.TempPathFactory
) -> DatasetPlace:
    """Return a set that nobody may change."""
    folder = tmp_path_factory.mktemp("set") / "set"
    build(folder, recordings)
    return DatasetPlace(folder)
