"""Plug-ins of other packages: found, refused or broken, but never in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import pytest
from telexist.retarget.errors import BadInput, BadPlugin, UnknownName
from telexist.retarget.plugins import PluginTable

GROUP = "telexist.test"


class Bell(Protocol):
    def ring(self) -> str: ...


def table(**own: str) -> PluginTable:
    return PluginTable("bell", GROUP, own)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that installs a package of one module, as pip would."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(package: str, entries: str, source: str) -> None:
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        )
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{entries}\n")
        (tmp_path / f"{package}.py").write_text(source)

    return install


GOOD = """
class Bell:
    def ring(self): return "ding"
def make(*words): return Bell()
"""


def test_a_stranger_is_found_by_its_name(install: Any) -> None:
    install("strange_good", "far = strange_good:make", GOOD)
    bells = table(near="builtins:dict")
    assert list(bells) == ["near", "far"] and len(bells) == 2
    assert bells["far"] == "strange_good:make"
    made: Any = bells.call("far", like=Bell)
    assert made.ring() == "ding"


def test_a_name_of_ours_cannot_be_taken(
    install: Any, caplog: pytest.LogCaptureFixture
) -> None:
    install("strange_thief", "near = strange_thief:make", GOOD)
    bells = table(near="builtins:dict")
    assert list(bells) == ["near"]
    assert bells.call("near") == {}
    assert "strange_thief 1.0" in caplog.text and "'near'" in caplog.text


def test_the_first_of_two_strangers_keeps_the_name(
    install: Any, caplog: pytest.LogCaptureFixture
) -> None:
    install("strange_one", "far = strange_one:make", GOOD)
    install("strange_two", "far = strange_two:make", GOOD)
    assert list(table()) == ["far"]
    assert "is left out" in caplog.text and "is taken by" in caplog.text


BROKEN = {
    "absent": ("no_such_module:make", "", "No module named"),
    "no_function": ("strange_{0}:other", GOOD, "other"),
    "no_callable": ("strange_{0}:make", "make = 3", "is no function"),
    "syntax": ("strange_{0}:make", "def make(:\n", "SyntaxError"),
    "leaves": ("strange_{0}:make", "raise SystemExit(3)", "SystemExit"),
    "crashes": ("strange_{0}:make", "def make(): return 1 / 0", "ZeroDivisionError"),
    "other": ("strange_{0}:make", "def make(): return 7", "lacks ring"),
    "nonsense": ("!!", "", ""),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_stranger_is_one_line_that_names_it(install: Any, fault: str) -> None:
    value, source, told = BROKEN[fault]
    install(f"strange_{fault}", f"far = {value.format(fault)}", source)
    with pytest.raises(BadPlugin) as caught:
        table().call("far", like=Bell)
    text = str(caught.value)
    assert told in text and f"strange_{fault} 1.0" in text and "'far'" in text
    assert "\n" not in text


def test_what_a_stranger_refuses_itself_is_told_in_its_own_words(install: Any) -> None:
    source = (
        "from telexist.retarget.errors import BadInput\n"
        "def make(): raise BadInput('too loud')"
    )
    install("strange_polite", "far = strange_polite:make", source)
    with pytest.raises(BadInput, match="^too loud$"):
        table().call("far")


def test_entry_points_that_cannot_be_read_leave_ours_alone(
    install: Any, caplog: pytest.LogCaptureFixture
) -> None:
    install("strange_text", "a line without a sign", "")
    bells = table(near="builtins:dict")
    assert bells.call("near") == {}
    with pytest.raises(UnknownName, match="near"):
        bells.call("far")
    assert "entry points" in caplog.text
