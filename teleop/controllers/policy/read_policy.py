"""Read a policy: the ONNX file, what it says of itself, and a TOML beside it.

A TOML file adds to the metadata and replaces what they say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.config import decode, read_toml
from telexist.retarget.errors import BadPolicy
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.policy.metadata import table_of_metadata
from telexist.teleop.controllers.policy.network import Network
from telexist.teleop.controllers.policy.policy_file import (
    BlockFile,
    Numbers,
    PolicyFile,
    TermFile,
)
from telexist.teleop.controllers.policy.vocabulary import ALIASES, VOCABULARY, Word

__all__ = ["Block", "Policy", "Term", "fitting", "numbers_of", "read_policy"]

RATES = (1.0, 1000.0)  # [Hz]
MOST_FRAMES = 1000  # of a block
FILLS = ("first", "zeros")
LISTS = {
    "default": None,
    "stiffness": None,
    "damping": None,
    "effort": None,
    "action": ("scale", "offset"),
    "drives": ("armature", "damping", "friction", "effort"),
}
"""Keys whose single numbers stand for lists."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Term:
    """A term of a block, with a factor for each of its numbers (k,)."""

    name: str
    word: Word
    scale: Array
    clip: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """Terms at one time or several; see `BlockFile`."""

    terms: tuple[Term, ...]
    frames: int
    skip: int
    newest_first: bool

    @property
    def width(self) -> int:
        """Numbers at one time."""
        return sum(len(term.scale) for term in self.terms)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Policy:
    """A policy that can be asked; arrays follow its own `joints`.

    Attributes:
        path: The file that was named.
        network: What answers.
        file: What is said of it.
        joints: Names.
        default: Posture from which positions count (n,).
        stiffness: (n,) [N m/rad].
        damping: (n,) [N m s/rad].
        effort: Torques that are not exceeded (n,); infinite where none are named.
        scale: Of its answers (n,).
        offset: Of its answers (n,).
        blocks: Of the observation.
        operator: Which joints follow the operator instead (n,) bool.
        lowest: Walking command vx, vy, wz (3,).
        highest: The same.
        walks: Whether it follows walking commands.
        tracks: Whether it follows the operator's motion.
        places: Whether it must know the velocity or the place of the base.
    """

    path: Path
    network: Network
    file: PolicyFile
    joints: tuple[str, ...]
    default: Array
    stiffness: Array
    damping: Array
    effort: Array
    scale: Array
    offset: Array
    blocks: tuple[Block, ...]
    operator: np.ndarray
    lowest: Array
    highest: Array
    walks: bool
    tracks: bool
    places: bool


def read_policy(path: Path) -> Policy:
    """Read a policy by its ONNX or its TOML file.

    Raises:
        MissingDependency: Without onnxruntime.
        BadPolicy: If it cannot be used; with what is wrong.
        BadConfig: If its TOML has a mistake.
    """
    table: dict[str, Any] = {}
    onnx, toml = path, path.with_suffix(".toml")
    if path.suffix == ".toml":
        table = read_toml(path)
        named = table.get("network", "")
        onnx = path.with_suffix(".onnx")
        if isinstance(named, str) and named:
            onnx = path.parent / named
    elif path.suffix != ".onnx":
        raise BadPolicy(path, "neither an .onnx nor a .toml file")
    elif toml.is_file():
        table = read_toml(toml)
    network = Network(onnx)
    said = _merged(table_of_metadata(network.metadata, network.inputs, onnx), table)
    where = path if path.suffix == ".toml" or not table else toml
    return _policy(decode(PolicyFile, _with_lists(said), path=where), network, where)


def numbers_of(value: Numbers, joints: Sequence[str], path: Path, key: str) -> Array:
    """Return a number for each joint (n,).

    Raises:
        BadPolicy: If there are not as many as joints, or one is not finite.
    """
    n = len(joints)
    if isinstance(value, Mapping):
        found = [
            next((v for pattern, v in value.items() if _fits(pattern, j, path)), None)
            for j in joints
        ]
        lacking = [j for j, v in zip(joints, found, strict=True) if v is None]
        if lacking:
            raise BadPolicy(path, f"no pattern fits {', '.join(lacking)}", place=key)
        result = np.array(found, dtype=np.float64)
    elif len(value) == 1:
        result = np.full(n, value[0])
    elif len(value) == n:
        result = np.array(value)
    else:
        problem = f"has {len(value)} numbers for {n} joints"
        raise BadPolicy(path, problem, place=key)
    if not np.isfinite(result).all():
        raise BadPolicy(path, "holds a number that is not finite", place=key)
    return result


def fitting(
    patterns: Sequence[str], joints: Sequence[str], path: Path, key: str
) -> np.ndarray:
    """Return which joints fit one of the patterns (n,) bool.

    Raises:
        BadPolicy: If a pattern fits none.
    """
    fits = np.zeros(len(joints), dtype=bool)
    for pattern in patterns:
        these = np.array([_fits(pattern, joint, path) for joint in joints], dtype=bool)
        if not these.any():
            raise BadPolicy(path, f"'{pattern}' fits no joint", place=key)
        fits |= these
    return fits


def _fits(pattern: str, joint: str, path: Path) -> bool:
    try:
        return re.fullmatch(pattern, joint) is not None
    except re.error as error:
        raise BadPolicy(path, f"'{pattern}' is no pattern: {error}") from error


def _merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in change.items():
        old = result.get(key)
        nested = key in ("action", "command") and isinstance(value, dict)
        result[key] = old | value if nested and isinstance(old, dict) else value
    return result


def _with_lists(table: dict[str, Any]) -> dict[str, Any]:
    result = dict(table)
    for key, inner in LISTS.items():
        value = result.get(key)
        if inner is None and _is_number(value):
            result[key] = [value]
        elif inner is not None and isinstance(value, dict):
            listed = {k: [value[k]] for k in inner if _is_number(value.get(k))}
            result[key] = value | listed
    if isinstance(result.get("observation"), list):
        result["observation"] = [_block_table(b) for b in result["observation"]]
    return result


def _block_table(block: Any) -> Any:
    """Allow a bare name for a term, and a bare number for its scale."""
    if not isinstance(block, dict) or not isinstance(block.get("terms"), list):
        return block
    terms = []
    for term in block["terms"]:
        if isinstance(term, str):
            terms.append({"name": term})
        elif isinstance(term, dict) and _is_number(term.get("scale")):
            terms.append(term | {"scale": [term["scale"]]})
        else:
            terms.append(term)
    return block | {"terms": terms}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _policy(file: PolicyFile, network: Network, path: Path) -> Policy:
    joints = file.joints
    _check(file, path)

    def numbers(key: str, value: Numbers) -> Array:
        return numbers_of(value, joints, path, key)

    default = numbers("default", file.default)
    blocks = _blocks(file, path)
    _check_sizes(blocks, network, len(joints), path)
    words = [term.word for block in blocks for term in block.terms]
    command = file.command
    ranges = np.array([command.vx, command.vy, command.wz])
    if not (ranges[:, 0] <= ranges[:, 1]).all():
        raise BadPolicy(path, "a range ends below its begin", place="command")
    policy = Policy(
        path=path,
        network=network,
        file=file,
        joints=joints,
        default=default,
        stiffness=numbers("stiffness", file.stiffness),
        damping=numbers("damping", file.damping),
        effort=numbers("effort", file.effort)
        if file.effort
        else np.full(len(joints), np.inf),
        scale=numbers("action.scale", file.action.scale),
        offset=numbers("action.offset", file.action.offset)
        if file.action.offset
        else default,
        blocks=blocks,
        operator=fitting(file.operator, joints, path, "operator"),
        lowest=ranges[:, 0],
        highest=ranges[:, 1],
        walks=any(word.walks for word in words),
        tracks=any(word.tracks for word in words),
        places=any(word.places for word in words),
    )
    if min(policy.stiffness.min(), policy.damping.min(), policy.effort.min()) < 0.0:
        raise BadPolicy(path, "stiffness, damping and effort are 0 or more")
    return policy


def _check(file: PolicyFile, path: Path) -> None:
    for key in ("joints", "default", "stiffness", "damping", "observation"):
        if not getattr(file, key):
            how = "say it in a TOML beside the ONNX file: docs/policies.md"
            raise BadPolicy(path, f"nothing is said of it; {how}", place=key)
    twice = sorted({j for j in file.joints if file.joints.count(j) > 1})
    if twice:
        raise BadPolicy(path, f"named twice: {', '.join(twice)}", place="joints")
    if not RATES[0] <= file.rate <= RATES[1]:
        problem = f"{file.rate:g} Hz is not {RATES[0]:g} to {RATES[1]:g} Hz"
        raise BadPolicy(path, problem, place="rate")
    if file.fill not in FILLS:
        problem = f"'{file.fill}' is not one of {', '.join(FILLS)}"
        raise BadPolicy(path, problem, place="fill")
    if not (math.isfinite(file.phase.period) and file.phase.period > 0.0):
        raise BadPolicy(path, "must be above 0 s", place="phase.period")
    if not file.action.clip > 0.0:
        raise BadPolicy(path, "must be above 0", place="action.clip")


def _blocks(file: PolicyFile, path: Path) -> tuple[Block, ...]:
    blocks: list[Block] = []
    for i, given in enumerate(file.observation):
        place = f"observation[{i}]"
        if not (1 <= given.frames <= MOST_FRAMES and 0 <= given.skip <= MOST_FRAMES):
            problem = f"frames must be 1 to {MOST_FRAMES}, skip 0 to {MOST_FRAMES}"
            raise BadPolicy(path, problem, place=place)
        if not given.terms and not blocks:
            raise BadPolicy(path, "names no terms", place=place)
        terms = tuple(_term(t, file.joints, path, place) for t in given.terms)
        blocks.append(_block(given, terms or blocks[-1].terms))
    return tuple(blocks)


def _block(given: BlockFile, terms: tuple[Term, ...]) -> Block:
    return Block(
        terms=terms,
        frames=given.frames,
        skip=given.skip,
        newest_first=given.newest_first,
    )


def _term(given: TermFile, joints: Sequence[str], path: Path, place: str) -> Term:
    name = ALIASES.get(given.name, given.name)
    if name not in VOCABULARY:
        known = ", ".join([*VOCABULARY, *ALIASES])
        raise BadPolicy(path, f"no term '{given.name}'; known: {known}", place=place)
    word, n = VOCABULARY[name], len(joints)
    size = word.size(n)
    if len(given.scale) not in (1, size):
        problem = f"{given.name} has {size} numbers, its scale {len(given.scale)}"
        raise BadPolicy(path, problem, place=place)
    scale = np.ones(size) * np.array(given.scale)
    if not np.isfinite(scale).all() or not given.clip > 0.0:
        problem = f"{given.name}: scale and clip must be numbers, clip above 0"
        raise BadPolicy(path, problem, place=place)
    if given.zero:
        if word.fixed or not word.each:
            raise BadPolicy(path, f"{given.name} is not about joints", place=place)
        zero = fitting(given.zero, joints, path, f"{place}.zero")
        scale[np.tile(zero, word.each)] = 0.0
    scale.setflags(write=False)
    return Term(name=name, word=word, scale=scale, clip=given.clip)


def _check_sizes(blocks: Sequence[Block], network: Network, n: int, path: Path) -> None:
    """Refuse a network of other sizes, and one that does not answer."""
    total = sum(block.frames * block.width for block in blocks)
    if network.inputs not in (None, total):
        parts = [
            " + ".join(f"{t.name} {len(t.scale)}" for t in block.terms)
            + (f" (x {block.frames})" if block.frames > 1 else "")
            for block in blocks
        ]
        problem = (
            f"the network takes {network.inputs} numbers, the observation has {total}: "
            f"{'; '.join(parts)}"
        )
        raise BadPolicy(path, problem, place="observation")
    answer = network.run(np.zeros(total))  # also refuses weights that are no numbers
    if len(answer) != n:
        problem = f"the network answers {len(answer)} numbers for {n} joints"
        raise BadPolicy(path, problem, place="joints")
