from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanClip
from telexist.teleop.loop.background_follower import BackgroundFollower


def test_first_posture_comes_later_and_the_rest_as_ever(
    body_of: Callable[[str], RobotBody], builtin: HumanClip
) -> None:
    body = body_of("icub")
    with ThreadPoolExecutor(1) as executor:
        follower = BackgroundFollower(Retargeter(body, builtin.size), executor)
        witness = Retargeter(body, builtin.size)
        for first in (0, 600):
            assert follower.step(builtin.frame(first)) is None
            executor.submit(int).result()  # the search before it is over now
            witness.step(builtin.frame(first))
            found = follower.step(builtin.frame(first + 1))
            wanted = witness.step(builtin.frame(first + 1))
            assert found is not None
            np.testing.assert_array_equal(found.q, wanted.q)
            follower.reset()
            witness.reset()
