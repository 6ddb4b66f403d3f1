"""The quick reader of numbers against Python's own, digit by digit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from telexist.retarget.recordings.bvh.numbers import plain_table

WORDS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False, width=64).map(repr),
    st.floats(-1e3, 1e3).map(lambda x: f"{x:.6f}"),
    st.from_regex(
        r"[+-]?[0-9]{1,25}\.?[0-9]{0,25}([eE][+-]?[0-9]{1,3})?", fullmatch=True
    ),
    st.from_regex(r"[+-]?\.[0-9]{1,20}", fullmatch=True),
)


@given(st.lists(WORDS, min_size=1, max_size=12), st.sampled_from([" ", "\t", "  "]))
@settings(max_examples=300, deadline=None)
def test_every_number_is_what_python_reads(words: list[str], blank: str) -> None:
    table = plain_table(blank.join(words), 1, len(words))
    assert table is not None
    assert table.tobytes() == np.array([[float(w) for w in words]]).tobytes()


def test_rows_are_lines_and_blank_lines_do_not_count() -> None:
    table = plain_table("\n 1 -2.5\t\n\n3e0 4\n", 2, 2)
    assert table is not None
    assert table.tolist() == [[1.0, -2.5], [3.0, 4.0]]


@pytest.mark.parametrize(
    "text",
    [
        "1 2\n3",  # a row that is too short
        "1 2\n3 4 5",  # too long
        "1 2",  # a row is missing
        "1 2\n3 4\n5 6",  # one too many
        "1 2\n3 x",
        "1 2\n3 1_0",
        "1 2\n3 nan",
        "1 2\n3 -",
        "1 2\n3 .",
        "1 2\n3 1e",
        "1 2\n3 1e+",
        "1 2\n3 1.2.3",
        "1 2\n3 ١",
        "1 2\r3 4",
    ],
)
def test_whatever_is_no_plain_table_is_left_to_the_careful_reader(text: str) -> None:
    assert plain_table(text, 2, 2) is None


def test_a_count_that_the_text_cannot_hold_takes_no_memory() -> None:
    assert plain_table("1 2\n", 10**9, 100) is None
