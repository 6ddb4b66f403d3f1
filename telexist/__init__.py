"""Be a humanoid robot: human motion to any robot, live or from recordings.

    from telexist import Retargeter, load_robot, read_clip, save_motion

    clip = read_clip("walk.bvh")
    motion = Retargeter(load_robot("icub").body, clip.size).run(clip)
    save_motion(Path("out"), "walk.icub", motion)

These names are the public interface; each is loaded when it is first used. Folders
below have doors of their own (`telexist.retarget.metrics`, `telexist.teleop.recording`,
...), which may change from version to version.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from telexist.retarget.follow import Retargeter, RetargetSettings
    from telexist.retarget.metrics import Report, make_report
    from telexist.retarget.pictures import draw_sheet, save_figure
    from telexist.retarget.recordings import read_clip
    from telexist.retarget.results import load_motion, save_motion
    from telexist.retarget.signals import HumanClip, HumanFrame, RobotMotion
    from telexist.robots.description import RobotModel, load_robot
    from telexist.robots.draft import draft_robot
    from telexist.teleop.batch import BatchOptions, retarget_clips
    from telexist.teleop.recording import SessionReader
    from telexist.teleop.scenarios import ScenarioOptions, run_scenario
    from telexist.teleop.session import Session, SessionPlan

__all__ = [
    "BatchOptions",
    "HumanClip",
    "HumanFrame",
    "Report",
    "RetargetSettings",
    "Retargeter",
    "RobotModel",
    "RobotMotion",
    "ScenarioOptions",
    "Session",
    "SessionPlan",
    "SessionReader",
    "__version__",
    "draft_robot",
    "draw_sheet",
    "load_motion",
    "load_robot",
    "make_report",
    "read_clip",
    "retarget_clips",
    "run_scenario",
    "save_figure",
    "save_motion",
]

__version__ = "0.2.0"

_HOMES = {
    "BatchOptions": "teleop.batch",
    "HumanClip": "retarget.signals",
    "HumanFrame": "retarget.signals",
    "Report": "retarget.metrics",
    "RetargetSettings": "retarget.follow",
    "Retargeter": "retarget.follow",
    "RobotModel": "robots.description",
    "RobotMotion": "retarget.signals",
    "ScenarioOptions": "teleop.scenarios",
    "Session": "teleop.session",
    "SessionPlan": "teleop.session",
    "SessionReader": "teleop.recording",
    "draft_robot": "robots.draft",
    "draw_sheet": "retarget.pictures",
    "load_motion": "retarget.results",
    "load_robot": "robots.description",
    "make_report": "retarget.metrics",
    "read_clip": "retarget.recordings",
    "retarget_clips": "teleop.batch",
    "run_scenario": "teleop.scenarios",
    "save_figure": "retarget.pictures",
    "save_motion": "retarget.results",
}
"""Name to the door that it comes through."""

_CHECKOUT = Path(__file__).resolve().parents[1]
if (_CHECKOUT / "pyproject.toml").is_file() and (_CHECKOUT / "retarget").is_dir():
    __path__.append(str(_CHECKOUT))  # the folders lie beside this one, not inside


def __getattr__(name: str) -> object:
    """Load a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'telexist' has no attribute {name!r}")
    value: object = getattr(import_module(f"telexist.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, loaded or not."""
    return sorted({*globals(), *__all__})
