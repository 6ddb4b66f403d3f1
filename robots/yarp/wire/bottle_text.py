"""Bottles as text: what YARP prints, what a person types, and the `text` carrier."""

from __future__ import annotations

import re
from collections.abc import Sequence

from telexist.retarget.errors import BadMessage
from telexist.robots.yarp.wire.values import (
    Bottle,
    Item,
    Vocab,
    Vocab64,
)

__all__ = ["parse_text", "print_text"]

DEEPEST = 32
DIGITS = 21  # that YARP prints of a number
_TOKEN = re.compile(
    r"""\s*(?:(?P<open>\()|(?P<close>\))|(?P<string>"(?:[^"\\]|\\.)*")"""
    r"""|\[(?P<vocab>[^\]\s]*)\]|\{(?P<blob>[^}]*)\}|(?P<word>[^\s()\[\]{}"]+))""",
    re.DOTALL,
)
_INTEGER = re.compile(r"[+-]?\d+$")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*$")


def print_text(items: Sequence[Item]) -> str:
    """Return a Bottle as YARP prints it."""
    return " ".join(map(_print, items))


def _print(item: Item) -> str:
    if isinstance(item, Vocab | Vocab64):
        return {"": "false", "1": "true"}.get(item.word, f"[{item.word}]")
    if isinstance(item, float):
        return _print_number(item)
    if isinstance(item, int):
        return str(int(item))
    if isinstance(item, str):
        return _print_string(item)
    if isinstance(item, bytes):
        return "{" + " ".join(map(str, item)) + "}"
    return f"({print_text(item)})"


def _print_number(value: float) -> str:
    text = f"{value:.{DIGITS}g}"
    plain = text.lstrip("-").isdigit()
    return text + ".0" if plain else text


def _print_string(text: str) -> str:
    if _PLAIN.match(text) and text not in ("true", "false"):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    for raw, letter in (("\n", "n"), ("\r", "r"), ("\0", "0")):
        escaped = escaped.replace(raw, "\\" + letter)
    return f'"{escaped}"'


def parse_text(text: str) -> Bottle:
    """Return the values that a text stands for.

    Raises:
        BadMessage: If brackets or quotes do not match.
    """
    stack: list[Bottle] = [[]]
    at, text = 0, text.rstrip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise BadMessage(f"cannot be read as YARP's text: {text[at : at + 20]}")
        at = token.end()
        if token["open"]:
            stack.append([])
            if len(stack) > DEEPEST:
                raise BadMessage("lists lie too deep in each other")
        elif token["close"]:
            if len(stack) == 1:
                raise BadMessage("a ) without its ( in YARP's text")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(_read(token))
    if len(stack) != 1:
        raise BadMessage("a ( without its ) in YARP's text")
    return stack[0]


def _read(token: re.Match[str]) -> Item:
    if token["string"] is not None:
        inner = token["string"][1:-1]
        meant = {"n": "\n", "r": "\r", "0": "\0"}
        return re.sub(r"\\(.)", lambda m: meant.get(m[1], m[1]), inner, flags=re.DOTALL)
    if token["vocab"] is not None:
        return _vocab(token["vocab"])
    if token["blob"] is not None:
        return _blob(token["blob"])
    word = token["word"]
    if _INTEGER.match(word) and len(word) < 20:
        return int(word)
    if _NUMBER.match(word):
        return float(word)
    return {"true": Vocab("1"), "false": Vocab("")}.get(word, word)


def _vocab(word: str) -> Item:
    try:
        long = len(word.encode("latin-1")) > 4
    except UnicodeEncodeError as error:
        raise BadMessage(f"[{word}] is no vocab") from error
    return Vocab64(word) if long else Vocab(word)


def _blob(text: str) -> bytes:
    try:
        return bytes(int(number) for number in text.split())
    except ValueError as error:
        raise BadMessage(f"{{{text[:20]}}} is no blob") from error
