"""Plug-ins: a table of ours by name, and what other packages bring.

A package that wants to add a device, a robot's back end, a controller or a format says
so with an entry point in its `pyproject.toml`:

    [project.entry-points."telexist.devices"]
    metronome = "my_package.metronome:make"

Names of ours cannot be taken over. What is broken there, in whatever way, becomes one
line that names the package; see `docs/plugins.md`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from telexist.retarget.errors import BadPlugin, TelexistError, UnknownName

__all__ = ["PluginTable"]

_log = logging.getLogger(__name__)
Result = TypeVar("Result")


class PluginTable(Mapping[str, str]):
    """Names to `module:function`, imported only when asked for.

    Ours come first. Those of other packages are looked up when a name is not ours, or
    when all names are listed.
    """

    def __init__(
        self, kind: str, group: str, own: Mapping[str, str], *, prefix: str = ""
    ) -> None:
        """Take a table.

        Args:
            kind: What its entries are, for messages: "device".
            group: Of the entry points: "telexist.devices".
            own: Our names.
            prefix: With which all names begin: "." of suffixes.
        """
        self.kind, self.group, self._own = kind, group, dict(own)
        self._prefix = prefix
        self._foreign: dict[str, EntryPoint] | None = None

    def __getitem__(self, name: str) -> str:
        """Return the `module:function` of a name."""
        return self._own[name] if name in self._own else self._others()[name].value

    def __iter__(self) -> Iterator[str]:
        """Yield all names, ours first."""
        yield from self._own
        yield from self._others()

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._own) + len(self._others())

    def __contains__(self, name: object) -> bool:
        """Whether there is such a name; others are asked only if it is not ours."""
        return name in self._own or name in self._others()

    def call(self, name: str, *arguments: object, like: type | None = None) -> object:
        """Call the function of a name.

        Args:
            name: In this table.
            arguments: For the function.
            like: Protocol that another package's result must keep.

        Raises:
            UnknownName: If there is no such name.
            BadPlugin: If another package's function cannot be loaded, fails, or returns
                something else.
        """
        if name in self._own:
            module, _, function = self._own[name].partition(":")
            made: object = getattr(import_module(module), function)(*arguments)
            return made
        if name not in self._others():
            raise UnknownName(self.kind, name, list(self))
        return self._call_foreign(self._others()[name], arguments, like)

    def _call_foreign(
        self,
        entry: EntryPoint,
        arguments: tuple[object, ...],
        like: type | None,
    ) -> object:
        function: Callable[..., object] = self._guarded(entry, entry.load)
        if not callable(function):
            raise self._bad(entry, f"{entry.value} is no function")
        made = self._guarded(entry, lambda: function(*arguments))
        missing = [name for name in _members(like) if name not in dir(made)]
        if missing:
            raise self._bad(entry, f"what it makes lacks {', '.join(missing)}")
        return made

    def _guarded(self, entry: EntryPoint, call: Callable[[], Result]) -> Result:
        try:
            return call()
        except TelexistError:
            raise
        except (Exception, SystemExit) as error:
            raise self._bad(entry, f"{type(error).__name__}: {error}") from error

    def _bad(self, entry: EntryPoint, problem: str) -> BadPlugin:
        return BadPlugin(self.kind, self._prefix + entry.name, _owner(entry), problem)

    def _others(self) -> dict[str, EntryPoint]:
        if self._foreign is None:
            self._foreign = {}
            for entry in self._installed():
                self._add(self._foreign, entry)
        return self._foreign

    def _installed(self) -> list[EntryPoint]:
        try:
            return list(entry_points(group=self.group))
        except Exception as error:  # a package's metadata are no metadata
            _log.warning("no plug-ins: entry points cannot be read: %s", error)
            return []

    def _add(self, found: dict[str, EntryPoint], entry: EntryPoint) -> None:
        name = self._prefix + entry.name.removeprefix(self._prefix)
        if name in self._own:
            why = "is a name of telexist itself"
        elif name in found:
            why = f"is taken by {_owner(found[name])}"
        else:
            found[name] = entry
            return
        _log.warning(
            "%s '%s' of %s is left out: it %s", self.kind, name, _owner(entry), why
        )


def _owner(entry: EntryPoint) -> str:
    """Return the package of an entry point, with its version."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


def _members(like: type | None) -> list[str]:
    return [] if like is None else [n for n in vars(like) if not n.startswith("_")]
