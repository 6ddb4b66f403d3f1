"""Errors cross process borders whole, and hang on one root."""

from __future__ import annotations

import inspect
import pickle

import pytest
from telexist.retarget import errors
from telexist.retarget.errors import (
    BadConfig,
    BadFrame,
    BadInput,
    BadMessage,
    BadModel,
    BadPlugin,
    BadPolicy,
    BadRecording,
    CalibrationRefused,
    CannotWrite,
    DeviceLost,
    MissingDependency,
    ModelNotFound,
    QpFailed,
    RobotLost,
    RobotStalled,
    SimulationDiverged,
    TelexistError,
    UnknownName,
    UnknownSkeleton,
    UsageError,
)

EXAMPLES = [
    BadConfig("a.toml", "unknown key", place="base.link"),
    BadFrame("frame 3: NaN"),
    BadInput("no"),
    BadMessage("not the beginning of a YARP message"),
    BadPolicy("walk.onnx", "no joints are named", place="joint_names"),
    BadPlugin("device", "theremin", "strange 1.0", "lacks open"),
    BadModel("a.urdf", "a loop", place="knee"),
    BadRecording("a.bvh", "no frames", place="line 3"),
    CalibrationRefused("the left hand moved"),
    CannotWrite("disk full"),
    DeviceLost("the port is taken"),
    MissingDependency("osqp", "pip install osqp"),
    ModelNotFound("get it there"),
    QpFailed("no answer"),
    UsageError("no such option"),
    RobotLost("no cable"),
    RobotStalled("no state for 0.30 s"),
    SimulationDiverged("no usable acceleration"),
    UnknownName("robot", "g2", ["g1", "icub"]),
    UnknownSkeleton("a.bvh", "no legs"),
]


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda e: type(e).__name__)
def test_pickling_keeps_kind_message_and_data(error: TelexistError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_every_error_has_an_example_here() -> None:
    kinds = {getattr(errors, name) for name in errors.__all__} - {TelexistError}
    assert kinds == {type(error) for error in EXAMPLES}


@pytest.mark.parametrize("name", errors.__all__)
def test_every_error_hangs_on_the_root_and_in_the_drawing(name: str) -> None:
    assert issubclass(getattr(errors, name), TelexistError)
    assert name in (inspect.getdoc(errors) or "")


def test_a_typing_error_suggests_the_nearest_name() -> None:
    error = UnknownName("robot", "talso", ["icub", "talos", "g1"])
    assert str(error) == (
        "no robot called 'talso': did you mean 'talos'? known: g1, icub, talos"
    )
    assert error.known == ("g1", "icub", "talos")


def test_a_name_like_no_other_only_lists_them() -> None:
    assert str(UnknownName("robot", "zzz", ["icub"])) == (
        "no robot called 'zzz': known: icub"
    )


@pytest.mark.parametrize("mark", ["\x1b[2J", "\x9b31m", "\u202e", "\x07", "\r"])
def test_no_message_steers_a_terminal(mark: str) -> None:
    text = str(BadModel("a.urdf", f"joint '{mark}knee'", place=f"{mark}link"))
    assert mark not in text
    assert "knee" in text
    assert text.isprintable()


def test_ordinary_letters_stay_as_they_are() -> None:
    assert str(BadInput("Müller's 膝: 3 µm")) == "Müller's 膝: 3 µm"
