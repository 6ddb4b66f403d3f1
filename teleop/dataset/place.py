"""Where everything of a data set lies, and what it is made from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from telexist.retarget.errors import BadConfig, UsageError
from telexist.retarget.files import write_bytes

__all__ = ["DatasetPlace", "DatasetSettings"]

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSettings:
    """What a data set is made from.

    Attributes:
        sources: Files and folders of recordings, or the word `builtin`.
        robots: Names, or paths of `robot.toml` files.
        formats: Of the motions, beside npz.
        fps: Rate of trainers' files, as text; None: what each expects.
        pad: Standing at both ends of trainers' files [s].
        mirror: Whether every clip is there in a mirror too.
        trim: Whether standing still at the ends is cut off.
        pictures: Whether sheets are drawn.
        quality: "balanced" or "kinematic".
        distances: Whether links keep apart and off the floor.
    """

    sources: tuple[str, ...]
    robots: tuple[str, ...]
    formats: tuple[str, ...] = ()
    fps: str | None = None
    pad: float = 0.0
    mirror: bool = False
    trim: bool = False
    pictures: bool = False
    quality: str = "balanced"
    distances: bool = False


@dataclass(frozen=True, slots=True)
class DatasetPlace:
    """The folder of a data set.

    Attributes:
        folder: All of it.
    """

    folder: Path

    @property
    def motions(self) -> Path:
        """Motions, reports and sheets, in the folders of their recordings."""
        return self.folder / "motions"

    @property
    def table(self) -> Path:
        """One row for each clip and robot."""
        return self.folder / "table.parquet"

    @property
    def settings_file(self) -> Path:
        """What it is made from."""
        return self.folder / "dataset.json"

    @property
    def marks(self) -> Path:
        """What somebody said of clips: keep or drop."""
        return self.folder / "marks.json"

    def selection(self, name: str) -> Path:
        """Return where a selection is kept.

        Raises:
            UsageError: If its name is no plain word.
        """
        if not name or not all(c.isalnum() or c in "-_" for c in name):
            raise UsageError(f"--name {name}: letters, digits, - and _ make a name")
        return self.folder / "selections" / f"{name}.parquet"

    def require(self) -> None:
        """Refuse a folder that is no data set.

        Raises:
            UsageError: With the command that makes one.
        """
        if not self.settings_file.is_file():
            raise UsageError(
                f"{self.folder}: no data set here; telexist dataset build "
                f"RECORDINGS --out {self.folder} --robot g1 makes one"
            )

    def write_settings(self, settings: DatasetSettings) -> None:
        """Keep what the set is made from."""
        content = {"format_version": VERSION, **asdict(settings)}
        text = json.dumps(content, indent=2, ensure_ascii=False)
        write_bytes(self.settings_file, f"{text}\n".encode())

    def read_settings(self) -> DatasetSettings:
        """Return what the set is made from.

        Raises:
            UsageError: If there is no set.
            BadConfig: If the file is damaged.
        """
        self.require()
        try:
            content: Mapping[str, Any] = json.loads(
                self.settings_file.read_text(encoding="utf-8")
            )
            if content["format_version"] != VERSION:
                raise ValueError(
                    f"made by another version, {content['format_version']}"
                )
            known = {name: content[name] for name in asdict(_BLANK)}
            lists = {n: tuple(known[n]) for n in ("sources", "robots", "formats")}
            return DatasetSettings(**{**known, **lists})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadConfig(
                self.settings_file,
                f"damaged ({error}); `telexist dataset build` writes it again",
            ) from error


_BLANK = DatasetSettings(sources=(), robots=())
