"""Configuration: every mistake is named with its file, its key and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from telexist.retarget.config import decode, load
from telexist.retarget.errors import BadConfig


@dataclass(frozen=True, kw_only=True)
class Wheel:
    radius: float
    spokes: int = 12


@dataclass(frozen=True, kw_only=True)
class Cart:
    name: str
    front: Wheel
    fast: bool = False
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    stops: tuple[str, ...] = ()
    spares: Mapping[str, Wheel] = field(default_factory=dict)
    colour: str | None = None
    wheels: tuple[Wheel, ...] = ()


GOOD = """
name = "cart"
fast = true
axis = [1, 0.5, 0]
stops = ["here", "there"]
colour = "red"
[front]
radius = 1
[spares.left]
radius = 0.5
spokes = 8
[[wheels]]
radius = 2.0
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "cart.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_fills_the_dataclass(tmp_path: Path) -> None:
    cart = load(Cart, written(tmp_path, GOOD))
    assert cart == Cart(
        name="cart",
        fast=True,
        axis=(1.0, 0.5, 0.0),
        stops=("here", "there"),
        colour="red",
        front=Wheel(radius=1.0),
        spares={"left": Wheel(radius=0.5, spokes=8)},
        wheels=(Wheel(radius=2.0),),
    )
    assert isinstance(cart.front.radius, float)  # 1 is a fine length


def test_missing_keys_take_the_defaults_of_the_dataclass() -> None:
    cart = decode(Cart, {"name": "c", "front": {"radius": 1.0}}, path="cart.toml")
    assert cart == Cart(name="c", front=Wheel(radius=1.0))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            {"name": "c", "front": {"radius": 1.0}, "nmae": "d"},
            "cart.toml: nmae: unknown key; allowed: axis, colour, fast, front, name, "
            "spares, stops, wheels",
        ),
        ({"front": {"radius": 1.0}}, "cart.toml: name: missing key"),
        ({"name": "c", "front": {}}, "cart.toml: front.radius: missing key"),
        (
            {"name": "c", "front": {"radius": 1.0, "hub": 2}},
            "cart.toml: front.hub: unknown key; allowed: radius, spokes",
        ),
        (
            {"name": 3, "front": {"radius": 1.0}},
            "cart.toml: name: expected str, found 3",
        ),
        (
            {"name": "c", "front": {"radius": "1"}},
            "cart.toml: front.radius: expected float, found '1'",
        ),
        (
            {"name": "c", "front": {"radius": True}},
            "cart.toml: front.radius: expected float, found True",
        ),
        (
            {"name": "c", "front": {"radius": 1.0, "spokes": 2.5}},
            "cart.toml: front.spokes: expected int, found 2.5",
        ),
        (
            {"name": "c", "front": {"radius": 1.0, "spokes": True}},
            "cart.toml: front.spokes: expected int, found True",
        ),
        (
            {"name": "c", "front": {"radius": 1.0}, "fast": 1},
            "cart.toml: fast: expected bool, found 1",
        ),
        (
            {"name": "c", "front": {"radius": float("nan")}},
            "cart.toml: front.radius: expected a number, found nan",
        ),
        (
            {"name": "c", "front": 1.0},
            "cart.toml: front: expected a table, found 1.0",
        ),
        (
            {"name": "c", "front": {"radius": 1.0}, "axis": [0.0, 1.0]},
            "cart.toml: axis: expected 3 values, found 2",
        ),
        (
            {"name": "c", "front": {"radius": 1.0}, "axis": [0.0, "1", 0.0]},
            "cart.toml: axis[1]: expected float, found '1'",
        ),
        (
            {"name": "c", "front": {"radius": 1.0}, "stops": "here"},
            "cart.toml: stops: expected a list, found 'here'",
        ),
        (
            {"name": "c", "front": {"radius": 1.0}, "spares": {"a": {"radios": 1}}},
            "cart.toml: spares.a.radios: unknown key; allowed: radius, spokes",
        ),
        (
            {"name": "c", "front": {"radius": 1.0}, "spares": [1]},
            "cart.toml: spares: expected a table, found [1]",
        ),
        (
            {"name": "c", "front": {"radius": 1.0}, "wheels": [{"radius": "big"}]},
            "cart.toml: wheels[0].radius: expected float, found 'big'",
        ),
        ([], "cart.toml: expected a table, found []"),
    ],
)
def test_mistakes_are_named_in_one_line(table: object, message: str) -> None:
    with pytest.raises(BadConfig) as caught:
        decode(Cart, table, path="cart.toml")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"name = ", "not valid TOML"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"a = 1\na = 2", "not valid TOML"),
        (b"#" * 4_000_001, "not a configuration"),
    ],
)
def test_files_that_are_no_toml_are_named(
    content: bytes, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "cart.toml"
    path.write_bytes(content)
    with pytest.raises(BadConfig) as caught:
        load(Cart, path)
    assert str(caught.value).startswith(str(path))
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"nowhere\.toml: No such file"):
        load(Cart, tmp_path / "nowhere.toml")


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(BadConfig):
        load(Cart, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a = " + "9" * 400, id="400 digits"),
        pytest.param("a = " + "9" * 5000, id="5000 digits"),
        pytest.param("a = " + "[" * 5000 + "]" * 5000, id="nested lists"),
        pytest.param("a." * 3000 + "b = 1", id="nested keys"),
        pytest.param("a = " + "{b = " * 3000, id="nested tables"),
        pytest.param("name." * 3000 + "b = 1", id="nested where a text belongs"),
        pytest.param("front.radius = " + "9" * 400, id="a number without end"),
        pytest.param("front.spokes = " + "9" * 400, id="a whole number without end"),
        pytest.param('front = "' + "x" * 100_000 + '"', id="a very long text"),
    ],
)
def test_absurd_values_are_one_short_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadConfig) as caught:
        load(Cart, written(tmp_path, text))
    assert len(str(caught.value).replace(str(tmp_path), "")) < 300


def test_whole_numbers_stay_whole_up_to_64_bits(tmp_path: Path) -> None:
    text = f'name = "a"\nfront = {{radius = 1, spokes = {2**63 - 1}}}'
    assert load(Cart, written(tmp_path, text)).front.spokes == 2**63 - 1
