"""Inner functions become part of the entries that call them, before code is made.

numba optimises every function for itself, makes machine code of it and hands its
intermediate code to each caller, where all of it is optimised again. Only entries,
which Python calls, are ever run by themselves; so an inner function is only lowered,
and an entry collects what it needs, directly and through others, optimises that once
and makes machine code once. The cache then holds entries alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment
from numba.core.types.misc import unliteral

__all__ = ["EntryCompiler", "InnerCompiler", "take_any_number"]

_NUMBER = count()
_ENVIRONMENT = "_ZN08NumbaEnv"  # how numba calls the globals that point to constants


class _NoEnvironment:
    """Stands for the code generator where there is no code to point from."""

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing: entries set those of the functions that they have taken in."""


class _InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Lowered, and never made into machine code of its own."""

    @property
    def codegen(self) -> Any:
        return _NoEnvironment()

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


def _callers_first(libraries: Iterable[Any]) -> list[Any]:
    """Return libraries and what inner ones need; LLVM drops what nobody called yet."""
    found: dict[Any, None] = {}

    def visit(library: Any) -> None:
        if library in found:
            return
        if isinstance(library, _InnerLibrary):
            for needed in library._linking_libraries:
                visit(needed)
        found[library] = None

    for library in libraries:
        visit(library)
    return list(reversed(found))


class _EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Takes in all inner functions that it needs, and makes machine code."""

    def finalize(self) -> None:
        self._linking_libraries: list[Any] = _callers_first(self._linking_libraries)
        super().finalize()

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Point to the constants of the entry and of what it has taken in."""
        engine = self._codegen._engine
        for variable in self._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                found = lookup_environment(variable.name)
                if found is not None and engine.get_global_value_address(variable.name):
                    self._codegen.set_env(variable.name, found)
        self._codegen.set_env(name, environment)


class InnerCompiler(Compiler):  # type: ignore[misc]
    """Compiles functions that only compiled functions call."""

    library: Any = _InnerLibrary

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        """Give the function a library of the right kind."""
        if library is None:
            library = self.library(target.codegen(), f"telexist{next(_NUMBER)}")
            library.enable_object_caching()
        super().__init__(typing, target, library, *rest)


class EntryCompiler(InnerCompiler):
    """Compiles functions that Python calls."""

    library = _EntryLibrary


def take_any_number(dispatcher: Any) -> Any:
    """Compile a function once for all constants that callers give it, not for each."""
    find = dispatcher.get_call_template

    def find_for_types(args: Any, kws: Any) -> Any:
        return find(tuple(unliteral(arg) for arg in args), kws)

    dispatcher.get_call_template = find_for_types
    return dispatcher
