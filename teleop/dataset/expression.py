"""Plain expressions over the columns of a table: `slide_p95 < 20 and held > 0.95`.

Comparisons (also chained, `in (...)`, `is None`), `and`, `or`, `not`, `+ - * /`, `abs`,
and `like(clip, "walk*")` for texts. Nothing else is understood, and nothing is run: the
tree of the expression is walked by hand. A figure that a row does not have makes every
comparison with it false.
"""

from __future__ import annotations

import ast
import difflib
import operator
from collections.abc import Callable, Collection, Mapping
from fnmatch import fnmatchcase
from typing import Any

from telexist.retarget.errors import UsageError

__all__ = ["Expression"]

Row = Mapping[str, Any]
_Value = Callable[[Row], Any]

MOST = 2000  # characters
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class Expression:
    """A condition on a row.

    Attributes:
        text: As the user wrote it.
        columns: Which columns it needs, sorted.
    """

    def __init__(self, text: str, known: Collection[str]) -> None:
        """Read an expression over known columns.

        Raises:
            UsageError: Saying what is not understood, or which column is meant.
        """
        self.text = text
        self._known = known
        self._needed: set[str] = set()
        if len(text) > MOST:
            raise UsageError(f"an expression of more than {MOST} characters")
        try:
            tree = ast.parse(text.strip(), mode="eval")
            self._holds = self._condition(tree.body)
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            problem = getattr(error, "msg", None) or "too deeply nested"
            raise UsageError(f"'{_short(text)}' is no expression: {problem}") from error
        self.columns = tuple(sorted(self._needed))

    def __call__(self, row: Row) -> bool:
        """Return whether a row fulfils it.

        Raises:
            UsageError: If texts and numbers are mixed.
        """
        try:
            return bool(self._holds(row))
        except (TypeError, ZeroDivisionError, RecursionError) as error:
            raise UsageError(f"'{_short(self.text)}': {error}") from error

    def _condition(self, node: ast.expr) -> _Value:
        if isinstance(node, ast.BoolOp):
            parts = [self._condition(value) for value in node.values]
            combine = all if isinstance(node.op, ast.And) else any
            return lambda row: combine(part(row) for part in parts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self._condition(node.operand)
            return lambda row: not inner(row)
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        return self._value(node)

    def _comparison(self, node: ast.Compare) -> _Value:
        terms = [node.left, *node.comparators]
        steps = [
            self._step(left, kind, right)
            for left, kind, right in zip(terms, node.ops, terms[1:], strict=False)
        ]
        return lambda row: all(step(row) for step in steps)

    def _step(self, left: ast.expr, kind: ast.cmpop, right: ast.expr) -> _Value:
        one = self._value(left)
        if isinstance(kind, ast.Is | ast.IsNot):
            if not (isinstance(right, ast.Constant) and right.value is None):
                raise _not_understood(right)
            absent = isinstance(kind, ast.Is)
            return lambda row: (one(row) is None) is absent
        if isinstance(kind, ast.In | ast.NotIn):
            if not isinstance(right, ast.Tuple | ast.List):
                raise _not_understood(right)
            among = [self._value(item) for item in right.elts]
            inside = isinstance(kind, ast.In)
            return lambda row: (one(row) in [item(row) for item in among]) is inside
        other, compare = self._value(right), _COMPARE[type(kind)]

        def holds(row: Row) -> bool:
            a, b = one(row), other(row)
            return a is not None and b is not None and compare(a, b)

        return holds

    def _value(self, node: ast.expr) -> _Value:
        if isinstance(node, ast.Constant):
            constant = node.value
            if isinstance(constant, bool | int | float | str):
                return lambda row: constant
        if isinstance(node, ast.Name):
            return self._column(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return _on_numbers(operator.neg, self._value(node.operand))
        if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            parts = self._value(node.left), self._value(node.right)
            return _on_numbers(_ARITHMETIC[type(node.op)], *parts)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._call(node, node.func.id)
        if isinstance(node, ast.BoolOp | ast.Compare):
            return self._condition(node)
        raise _not_understood(node)

    def _call(self, node: ast.Call, name: str) -> _Value:
        given = [self._value(argument) for argument in node.args]
        if name == "abs" and len(given) == 1 and not node.keywords:
            return _on_numbers(abs, given[0])
        if name == "like" and len(given) == 2 and not node.keywords:
            text, pattern = given
            return lambda row: fnmatchcase(str(text(row)), str(pattern(row)))
        raise _not_understood(node)

    def _column(self, name: str) -> _Value:
        if name not in self._known:
            near = difflib.get_close_matches(name, self._known, n=1, cutoff=0.5)
            hint = f": did you mean '{near[0]}'?" if near else ""
            raise UsageError(
                f"no column '{_short(name)}'{hint} "
                "(telexist dataset status SET --columns lists them)"
            )
        self._needed.add(name)
        return lambda row: row[name]


def _on_numbers(function: Callable[..., float], *parts: _Value) -> _Value:
    def value(row: Row) -> float | None:
        found = [part(row) for part in parts]
        if any(v is None for v in found):
            return None
        if not all(isinstance(v, int | float) for v in found):
            raise TypeError("texts are compared, not calculated with")
        return function(*(float(v) for v in found))

    return value


def _not_understood(node: ast.AST) -> UsageError:
    return UsageError(
        f"'{_short(ast.unparse(node))}' is not understood: comparisons, and, or, not, "
        "in (...), is None, + - * /, abs(x) and like(text, 'pattern*') are"
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
