"""Devices by the words of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from telexist.retarget.errors import BadInput, UnknownName
from telexist.teleop.devices.base.options import DeviceOptions, parse_endpoint
from telexist.teleop.devices.base.table import DEVICES, make_device
from telexist.teleop.terms.device_sample import Provides


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("xsens", "xsens on 127.0.0.1:9763"),
        ("xsens:9800", "xsens on 127.0.0.1:9800"),
        ("xsens:0.0.0.0", "xsens on 0.0.0.0:9763"),
        ("xsens:0.0.0.0:9800?protocol=tcp&sender=10.0.0.2", "xsens on 0.0.0.0:9800"),
        ("xsens:?character=2", "xsens on 127.0.0.1:9763"),
        ("vmc", "vmc on 127.0.0.1:39539"),
        ("vmc:39540?trackers=LHR-1~LeftFoot+LHR-2~Pelvis", "vmc on 127.0.0.1:39540"),
        ("builtin", "recording builtin"),
    ],
)
def test_words_make_devices(text: str, name: str) -> None:
    device = make_device(text)
    assert device.name == name
    assert device.provides == {Provides.HUMAN}
    assert device.read() is None
    device.close()


def test_a_recording_is_played_with_and_without_its_word(shared_motions: Path) -> None:
    path = next(iter(sorted(shared_motions.rglob("*.bvh"))))
    options = DeviceOptions(loop=False)
    assert make_device(f"player:{path}", options).name == f"recording {path.stem}"
    assert make_device(str(path), options).name == f"recording {path.stem}"


@pytest.mark.parametrize(
    "text",
    [
        "xsens:70000",
        "xsens:0.0.0.0:x",
        "xsens:?protocol=smtp",
        "xsens:?character=two",
        "xsens:?colour=red",
        "vmc:?trackers=a~Foot",
        "vmc:?sender=phone",
        "player",
        "player:nothing.bvh",
        "builtin:loud",
    ],
)
def test_wrong_details_are_refused_at_once(text: str) -> None:
    with pytest.raises(BadInput):
        make_device(text)


def test_a_wrong_word_names_the_right_ones() -> None:
    with pytest.raises(UnknownName, match="did you mean 'xsens'") as caught:
        make_device("xens")
    assert set(caught.value.known) == set(DEVICES)


def test_endpoints_keep_their_defaults() -> None:
    place = parse_endpoint("", host="127.0.0.1", port=7)
    assert (place.host, place.port, dict(place.options)) == ("127.0.0.1", 7, {})
