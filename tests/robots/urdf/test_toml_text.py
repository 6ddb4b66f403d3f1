"""What is written as TOML reads back as it was."""

from __future__ import annotations

import math
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telexist.robots.urdf.toml_text import toml_text

NAMES = st.text(
    st.characters(exclude_categories=["Cs"]),
    min_size=1,
    max_size=12,
)
NUMBERS = st.floats(allow_nan=False) | st.integers(-(2**62), 2**62)
SCALARS = NAMES | st.booleans() | NUMBERS
TABLES = st.dictionaries(
    NAMES,
    SCALARS
    | st.lists(SCALARS, max_size=3)
    | st.dictionaries(
        NAMES,
        SCALARS | st.dictionaries(NAMES, SCALARS, min_size=1, max_size=3),
        min_size=1,
        max_size=3,
    ),
    max_size=5,
)


@given(TABLES)
def test_any_table_reads_back(table: dict[str, object]) -> None:
    assert tomllib.loads(toml_text(table)) == table  # type: ignore[arg-type]


def test_empty_tables_are_left_out() -> None:
    assert toml_text({"name": "a", "soles": {}, "base": {"x": {}}}) == 'name = "a"\n'


def test_tables_of_numbers_take_one_line_each() -> None:
    text = toml_text({"limits": {"knee": {"lower": 0.0, "upper": 2.5}}})
    assert text == "[limits]\nknee = { lower = 0.0, upper = 2.5 }\n"


def test_numbers_stay_numbers() -> None:
    read = tomllib.loads(toml_text({"a": 1e22, "b": math.inf, "c": 3, "d": True}))
    assert read == {"a": 1e22, "b": math.inf, "c": 3, "d": True}
    assert isinstance(read["a"], float)


def test_a_value_without_toml_form_is_refused() -> None:
    with pytest.raises(TypeError, match="no TOML form"):
        toml_text({"a": None})  # type: ignore[dict-item]
