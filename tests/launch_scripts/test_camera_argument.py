"""What `--camera` says."""

from __future__ import annotations

import pytest
from telexist.launch_scripts.arguments.camera_arguments import with_camera
from telexist.retarget.errors import UsageError
from telexist.teleop.settings import SessionSettings


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("", (640, 480, 30.0, False)),
        ("320x240", (320, 240, 30.0, False)),
        ("@15", (640, 480, 15.0, False)),
        ("stereo", (640, 480, 30.0, True)),
        ("800x600@12.5,stereo", (800, 600, 12.5, True)),
    ],
)
def test_size_rate_and_eyes_are_understood(
    said: str, expected: tuple[int, int, float, bool]
) -> None:
    camera = with_camera(SessionSettings(), said).camera
    assert (camera.width, camera.height, camera.rate, camera.stereo) == expected


@pytest.mark.parametrize("said", ["big", "640", "1x1", "640x480@0", "mono", "stereo,"])
def test_anything_else_is_a_wrong_argument(said: str) -> None:
    with pytest.raises(UsageError, match="--camera"):
        with_camera(SessionSettings(), said)
