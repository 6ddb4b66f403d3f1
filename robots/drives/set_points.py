"""Set-points of a drive's servo between the commands that it is sent.

Commands are the corners of a line: between two of them a joint goes at a constant
speed, at a corner its speed changes at once. No joint can do that. Drives therefore
follow the line two periods late, when they know where it goes, and round its corners
off: their set-point is the mean of the line over one period, whose positions and speeds
are means of those commanded. Whatever is left (commands at uneven times, late, or far
from the last) goes through the same limiter as the commands, at the drive's own rate;
so set-points stay within the bounds from any command to any other.

When commands stop coming, the line ends by braking.
"""

from __future__ import annotations

from collections import deque

import numpy as np
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.robots.base import JointCommand
from telexist.robots.drives.bounded_speeds import LIMIT_BRAKING
from telexist.robots.drives.command_limiter import Bounds, CommandLimiter

__all__ = ["COMMAND_SHARE", "SetPoints"]

COMMAND_SHARE = 0.85  # of the accelerations is for commands; the rest is to catch up
PERIODS_LATE = 2.0  # that the line is followed late: its next corner is known then
CORNERS = 32  # kept; a loop of 1000 Hz has 10 in the time that the line is late


class SetPoints:
    """Makes set-points for servos from a stream of commands.

    Attributes:
        q: Positions now (n,) [rad] or [m].
        dq: Speeds from now to the next step (n,).
        ddq: Accelerations that lead to these speeds (n,).
    """

    def __init__(
        self, body: RobotBody, bounds: Bounds, *, period: float, timestep: float
    ) -> None:
        """Prepare; `reset` must come before the first `step`.

        Args:
            body: The robot.
            bounds: What set-points obey.
            period: Time between two commands, about [s].
            timestep: Time between two set-points [s].
        """
        self._limiter = CommandLimiter(body, bounds, catch_up=1.0 - COMMAND_SHARE)
        self._brake = LIMIT_BRAKING * bounds.acceleration
        self._late = PERIODS_LATE * period
        self._timestep = timestep
        self._zeros = np.zeros(len(bounds.lower))
        self._corners: deque[JointCommand] = deque(maxlen=CORNERS)
        self._line: deque[Array] = deque(maxlen=max(round(period / timestep), 1))
        self.reset(body.neutral.q)

    def reset(self, q: Array) -> None:
        """Stay at q (n,) until a command comes."""
        self._limiter.reset(q)
        self._corners.clear()
        self._line.extend([self._limiter.q] * (self._line.maxlen or 1))
        self.q, self.dq = self._limiter.q, self._limiter.dq
        self.ddq, self._before = np.zeros_like(self.q), self._limiter.dq

    def take(self, command: JointCommand) -> None:
        """Append a command to the line; one that is not newer replaces the last."""
        if self._corners and command.stamp <= self._corners[-1].stamp:
            self._corners.pop()
        self._corners.append(command)

    def step(self, now: float) -> None:
        """Find the set-points of the time step that begins now [s]."""
        if self._corners:
            self._line.append(self._on_line(now + self._timestep - self._late))
        self.q, self._before = self._limiter.q, self._limiter.dq
        mean = sum(self._line, self._zeros) / len(self._line)
        self._limiter.step(mean, self._timestep)
        self.dq = self._limiter.dq
        self.ddq = (self.dq - self._before) / self._timestep

    def go_slower(self, share: Array) -> None:
        """Make only a share (n,) of the accelerations of the last step."""
        self.ddq = share * self.ddq
        self.dq = self._before + self._timestep * self.ddq
        self._limiter.correct(self.q + self._timestep * self.dq, self.dq)

    def _on_line(self, time: float) -> Array:
        after = self._corners[-1]
        if time >= after.stamp:
            return self._braked(after, time - after.stamp)
        for before in reversed(self._corners):
            if before.stamp <= time:
                share = (time - before.stamp) / (after.stamp - before.stamp)
                return before.q + share * (after.q - before.q)
            after = before
        return after.q

    def _braked(self, command: JointCommand, since: float) -> Array:
        """Return where joints are that brake since the last command."""
        speed = np.abs(command.dq)
        for_ = np.minimum(since, speed / self._brake)
        return command.q + np.sign(command.dq) * for_ * (
            speed - 0.5 * self._brake * for_
        )
