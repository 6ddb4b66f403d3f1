"""What a pickle describes, without doing what it says.

A pickle is a program. Ours is a machine for it that knows no imports and calls nothing:
numbers, texts, lists and tables come out as they are, and everything else as a
`PickledObject`, an inert record of the class's name, its arguments and its state.
"""

from __future__ import annotations

import io
import pickletools
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from telexist.retarget.errors import BadRecording

__all__ = ["PickledObject", "read_pickle"]

_MOST_STEPS = 20_000_000
_TABLES = {"collections.OrderedDict", "collections.defaultdict"}
_REBUILT = {"copyreg._reconstructor", "copy_reg._reconstructor"}


@dataclass(slots=True, eq=False)
class PickledObject:
    """Something that is no plain data; it is filled while the pickle is being read.

    Attributes:
        name: Module and name of its class, or of the function that would make it.
        arguments: Of that function.
        state: What it would be given afterwards.
        items: What would be stored in it by key.
        data: Raw bytes that follow it in the file, where a reader took them.
    """

    name: str
    arguments: tuple[Any, ...] = ()
    state: Any = None
    items: dict[Any, Any] = field(default_factory=dict)
    data: Any = None


@dataclass(frozen=True, slots=True)
class _ClassName:
    """A class or function that a pickle names."""

    name: str


class _Mark:
    """Where a list of arguments begins on the stack."""


AfterState = Callable[[PickledObject, io.BytesIO], None]


def read_pickle(
    stream: io.BytesIO,
    path: Path,
    *,
    persistent: Callable[[object], object] | None = None,
    after_state: AfterState | None = None,
) -> Any:
    """Read one pickle.

    Args:
        stream: Its bytes; what follows is left.
        path: The file, for messages.
        persistent: Gives what stands for a name outside of the pickle.
        after_state: Called when an object got its state; may read on in the stream.

    Raises:
        BadRecording: If it is no pickle, or says what no data needs.
    """
    machine = _Machine(stream, persistent, after_state)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # strange escapes in texts of protocol 0
            return machine.run()
    except BadRecording:
        raise
    except _Refused as error:
        raise BadRecording(path, str(error)) from error
    except (
        ValueError,
        TypeError,
        KeyError,
        IndexError,
        OverflowError,
        RecursionError,
        MemoryError,
        AttributeError,
    ) as error:
        raise BadRecording(path, "damaged: not a whole pickle") from error


class _Refused(Exception):
    """A pickle with what no data needs."""


class _Machine:
    """The stack, the memory and the steps of one pickle."""

    def __init__(
        self,
        stream: io.BytesIO,
        persistent: Callable[[object], object] | None,
        after_state: AfterState | None,
    ) -> None:
        self._stream, self._persistent = stream, persistent
        self._after_state = after_state
        self._stack: list[Any] = []
        self._memory: dict[int, Any] = {}

    def run(self) -> Any:
        for count, (code, value, _) in enumerate(pickletools.genops(self._stream)):
            if count > _MOST_STEPS:
                raise _Refused(f"its pickle has more than {_MOST_STEPS} steps")
            name = code.name
            if name == "STOP":
                return self._stack.pop()
            if name in _CONSTANTS:
                self._stack.append(_CONSTANTS[name])
            elif name in _VALUES:
                self._stack.append(value)
            elif name in _EMPTY:
                self._stack.append(_EMPTY[name]())
            elif name not in _IGNORED:
                step = getattr(self, f"_{name.lower()}", None)
                if step is None:
                    raise _Refused(f"its pickle says {name}: no data needs that")
                step(value)
        raise ValueError("no STOP")

    def _marked(self) -> list[Any]:
        """Take what was put on the stack since the last mark."""
        at = len(self._stack) - 1
        while not isinstance(self._stack[at], _Mark):
            at -= 1
            if at < 0:
                raise IndexError("no mark")
        values = self._stack[at + 1 :]
        del self._stack[at:]
        return values

    def _pop(self, _: Any) -> None:
        self._stack.pop()

    def _pop_mark(self, _: Any) -> None:
        self._marked()

    def _dup(self, _: Any) -> None:
        self._stack.append(self._stack[-1])

    def _put(self, key: int) -> None:
        self._memory[int(key)] = self._stack[-1]

    _binput = _long_binput = _put

    def _memoize(self, _: Any) -> None:
        self._memory[len(self._memory)] = self._stack[-1]

    def _get(self, key: int) -> None:
        self._stack.append(self._memory[int(key)])

    _binget = _long_binget = _get

    def _tuple(self, _: Any) -> None:
        self._stack.append(tuple(self._marked()))

    def _tuple1(self, _: Any) -> None:
        self._stack.append((self._stack.pop(),))

    def _tuple2(self, _: Any) -> None:
        values = tuple(self._stack[-2:])
        del self._stack[-2:]
        self._stack.append(values)

    def _tuple3(self, _: Any) -> None:
        values = tuple(self._stack[-3:])
        del self._stack[-3:]
        self._stack.append(values)

    def _list(self, _: Any) -> None:
        self._stack.append(self._marked())

    def _frozenset(self, _: Any) -> None:
        self._stack.append(tuple(self._marked()))

    def _dict(self, _: Any) -> None:
        values = self._marked()
        self._stack.append(dict(zip(values[::2], values[1::2], strict=True)))

    def _append(self, _: Any) -> None:
        value = self._stack.pop()
        self._extend(self._stack[-1], [value])

    def _appends(self, _: Any) -> None:
        values = self._marked()
        self._extend(self._stack[-1], values)

    _additems = _appends

    def _extend(self, target: Any, values: list[Any]) -> None:
        if isinstance(target, PickledObject):
            target.items.update(enumerate(values, len(target.items)))
        elif isinstance(target, list):
            target.extend(values)
        else:
            raise TypeError("not a list")

    def _setitem(self, _: Any) -> None:
        value, key = self._stack.pop(), self._stack.pop()
        self._store(self._stack[-1], [key, value])

    def _setitems(self, _: Any) -> None:
        values = self._marked()
        self._store(self._stack[-1], values)

    def _store(self, target: Any, values: list[Any]) -> None:
        table = target.items if isinstance(target, PickledObject) else target
        if not isinstance(table, dict):
            raise TypeError("not a table")
        table.update(zip(values[::2], values[1::2], strict=True))

    def _global(self, name: str) -> None:
        self._stack.append(_ClassName(name.replace(" ", ".")))

    def _stack_global(self, _: Any) -> None:
        name, module = self._stack.pop(), self._stack.pop()
        if not isinstance(name, str) or not isinstance(module, str):
            raise TypeError("a class without a name")
        self._stack.append(_ClassName(f"{module}.{name}"))

    def _reduce(self, _: Any) -> None:
        arguments, made_by = self._stack.pop(), self._stack.pop()
        self._stack.append(_described(made_by, arguments))

    _newobj = _reduce

    def _newobj_ex(self, _: Any) -> None:
        self._stack.pop()
        self._reduce(None)

    def _obj(self, _: Any) -> None:
        made_by, *arguments = self._marked()
        self._stack.append(_described(made_by, tuple(arguments)))

    def _inst(self, name: str) -> None:
        arguments = tuple(self._marked())
        self._stack.append(_described(_ClassName(name.replace(" ", ".")), arguments))

    def _build(self, _: Any) -> None:
        state = self._stack.pop()
        made = self._stack[-1]
        if isinstance(made, PickledObject):
            made.state = state
            if self._after_state is not None:
                self._after_state(made, self._stream)

    def _persid(self, name: Any) -> None:
        if self._persistent is None:
            raise _Refused("its pickle names what is in another place")
        self._stack.append(self._persistent(name))

    def _binpersid(self, _: Any) -> None:
        self._persid(self._stack.pop())


def _described(made_by: Any, arguments: Any) -> Any:
    """Return what a call would make: a table, or a record of the call."""
    if not isinstance(made_by, _ClassName | PickledObject):
        raise TypeError("a call of no function")
    if not isinstance(arguments, tuple):
        raise TypeError("a call without arguments")
    arguments = tuple(a.name if isinstance(a, _ClassName) else a for a in arguments)
    if made_by.name in _TABLES:
        pairs = arguments[-1] if arguments else ()
        return dict(pairs) if isinstance(pairs, list | dict) else {}
    if made_by.name in _REBUILT and arguments:
        return PickledObject(str(arguments[0]), arguments[1:])
    what_for = "()" if isinstance(made_by, PickledObject) else ""  # made itself
    return PickledObject(made_by.name + what_for, arguments)


_CONSTANTS: dict[str, Any] = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_EMPTY: dict[str, Callable[[], Any]] = {
    "MARK": _Mark,
    "EMPTY_LIST": list,
    "EMPTY_DICT": dict,
    "EMPTY_SET": list,
    "EMPTY_TUPLE": tuple,
}
_IGNORED = {"PROTO", "FRAME"}
_VALUES = {
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4"),
    *("FLOAT", "BINFLOAT", "STRING", "BINSTRING", "SHORT_BINSTRING"),
    *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
    *("BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8"),
}
