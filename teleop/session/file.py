"""A session's configuration file: what it consists of, and all its settings.

```toml
[session]            # each of them may be left out; the command line wins
robot = "g1"
source = "xsens"
operator = "anna"
controller = "walk"
walk_input = ["joypad"]

[safety]             # and all other tables of `teleop/settings/settings.py`
speed = 0.5
```
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.settings import SessionSettings, load_settings

__all__ = ["SessionChoices", "SessionFile", "load_session_file"]

USUAL = SessionPlan()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionChoices:
    """What a session consists of; see `SessionPlan`.

    Attributes:
        robot: Name or file of the robot.
        source: What shows the operator.
        operator: Name or file of a profile.
        controller: Of the robot.
        walk_input: Further devices.
    """

    robot: str = USUAL.robot
    source: str = USUAL.source
    operator: str = USUAL.operator
    controller: str = USUAL.controller
    walk_input: tuple[str, ...] = USUAL.inputs

    def unless(self, said: Mapping[str, Any]) -> SessionChoices:
        """Return these choices, except where something else was said: not None."""
        names = [part.name for part in dataclasses.fields(self)]
        other = {k: said[k] for k in names if said.get(k) is not None}
        return dataclasses.replace(self, **other)

    def robot_unless_named(self, said: str | None) -> str:
        """Return the robot; "" for a policy's own, if nobody said (None) another."""
        policy = any(
            word.strip().partition(":")[0] == "policy"
            for word in self.controller.split(",")
        )
        usual = said is None and self.robot == USUAL.robot
        return "" if policy and usual else self.robot


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFile(SessionSettings):
    """All that a configuration file may hold."""

    session: SessionChoices = field(default_factory=SessionChoices)

    @property
    def settings(self) -> SessionSettings:
        """The settings alone, as they are recorded."""
        names = [part.name for part in dataclasses.fields(SessionSettings)]
        return SessionSettings(**{name: getattr(self, name) for name in names})


def load_session_file(path: Path) -> SessionFile:
    """Read a configuration file.

    Raises:
        BadConfig: Naming the file, the key and what is allowed.
    """
    return load_settings(path, SessionFile)
