"""The files that trainers read: dialects with names of their own, never guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from types import MappingProxyType
from typing import cast

from telexist.retarget.errors import BadInput
from telexist.retarget.signals import RobotMotion
from telexist.retarget.training.even_motion import (
    EvenMotion,
    TrainingOptions,
    even_motion,
)
from telexist.retarget.training.model_tree import ModelTree
from telexist.retarget.training.sonic import SONIC_FILES

__all__ = ["DIALECTS", "TrainingDialect", "encode_dialect"]

_HERE = "telexist.retarget.training"
_Encoder = Callable[[EvenMotion, ModelTree], tuple[bytes, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingDialect:
    """A way to write a motion for a trainer.

    Attributes:
        suffixes: Ends of its files' names; one that begins with a folder's name is a
            file in that folder.
        rate: Frames a second that the trainer expects; None: any.
        encoder: `module:function` from an even motion and a robot to the files' bytes.
    """

    suffixes: tuple[str, ...]
    rate: int | None
    encoder: str


DIALECTS: Mapping[str, TrainingDialect] = MappingProxyType(
    {
        "beyondmimic": TrainingDialect(
            suffixes=(".beyondmimic.npz",),
            rate=50,
            encoder=f"{_HERE}.body_arrays:encode_beyondmimic",
        ),
        "gmr": TrainingDialect(
            suffixes=(".gmr.pkl",), rate=None, encoder=f"{_HERE}.pickles:encode_gmr"
        ),
        "holosoma": TrainingDialect(
            suffixes=(".holosoma.npz",),
            rate=50,
            encoder=f"{_HERE}.free_joint:encode_holosoma",
        ),
        "locomujoco": TrainingDialect(
            suffixes=(".locomujoco.npz",),
            rate=None,
            encoder=f"{_HERE}.free_joint:encode_locomujoco",
        ),
        "mimickit": TrainingDialect(
            suffixes=(".mimickit.pkl",),
            rate=None,
            encoder=f"{_HERE}.pickles:encode_mimickit",
        ),
        "mjlab": TrainingDialect(
            suffixes=(".mjlab.npz",),
            rate=50,
            encoder=f"{_HERE}.body_arrays:encode_mjlab",
        ),
        "protomotions": TrainingDialect(
            suffixes=(".protomotions.csv",),
            rate=30,
            encoder=f"{_HERE}.tables:encode_protomotions_csv",
        ),
        "seed-csv": TrainingDialect(
            suffixes=(".seed.csv",),
            rate=120,
            encoder=f"{_HERE}.tables:encode_seed_csv",
        ),
        "sonic": TrainingDialect(
            suffixes=tuple(f".sonic/{name}" for name in SONIC_FILES),
            rate=50,
            encoder=f"{_HERE}.sonic:encode_sonic",
        ),
        "unitree-csv": TrainingDialect(
            suffixes=(".unitree.csv",),
            rate=30,
            encoder=f"{_HERE}.tables:encode_unitree_csv",
        ),
    }
)
"""Name to dialect."""


def encode_dialect(
    name: str,
    motion: RobotMotion,
    model: ModelTree,
    options: TrainingOptions | None = None,
) -> tuple[bytes, ...]:
    """Return the bytes of a dialect's files, in the order of its suffixes.

    Raises:
        BadInput: If the robot cannot have it, or the motion is of another robot.
    """
    options = options or TrainingOptions()
    dialect = DIALECTS[name]
    if model.fixed_base:
        raise BadInput(
            f"{name}: it wants a robot whose base is free; {model.robot} is bolted down"
        )
    if model.tree.ball.any():
        raise BadInput(f"{name}: it knows no ball joints; {model.robot} has some")
    rate = options.fps
    if rate is None and dialect.rate is not None:
        rate = Fraction(dialect.rate)
    even = even_motion(motion, model, rate, options.pad)
    module, function = dialect.encoder.split(":")
    encode = cast(_Encoder, getattr(import_module(module), function))
    return encode(even, model)
