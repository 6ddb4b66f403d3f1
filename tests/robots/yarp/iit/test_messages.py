"""Messages of IIT's stack are those that their own classes wrote, byte by byte."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, BadMessage
from telexist.robots.yarp.iit import (
    HumanState,
    SensorStatus,
    WearableSensor,
    human_dynamics_items,
    human_state_items,
    human_wrench_items,
    read_human_state,
    read_wearable_data,
    wearable_data_items,
)
from telexist.robots.yarp.wire import (
    YARP_3,
    YARP_4,
    Dialect,
    decode_bottle,
    encode_bottle,
)

DIALECTS = {"3.12": YARP_3, "4.0": YARP_4}


@pytest.fixture(params=DIALECTS)
def captured(
    request: pytest.FixtureRequest, shared_data: Path
) -> tuple[Dialect, dict[str, bytes]]:
    path = shared_data / "yarp" / request.param / "messages.json"
    if not path.exists():
        pytest.skip("no captures of YARP here: see tests/conftest.py")
    messages = json.loads(path.read_text())["messages"]
    found = {m["what"]: bytes.fromhex(m["payload"]) for m in messages}
    return DIALECTS[request.param], found


def test_every_message_is_written_as_their_classes_write_it(
    captured: tuple[Dialect, dict[str, bytes]],
) -> None:
    dialect, found = captured
    items = decode_bottle(found["HumanState"], dialect)
    state = read_human_state(items)
    assert state.joints == ("torso_pitch", "torso_roll", "torso_yaw")
    assert state.positions == pytest.approx([0.1, 0.2, 0.3])
    written = encode_bottle(human_state_items(state, dialect), dialect)
    assert written == found["HumanState"]
    names, values = decode_bottle(found["HumanWrench"], dialect)
    wrenches = dict(zip(names, np.array(values).reshape(-1, 6), strict=True))  # type: ignore[arg-type]
    written = encode_bottle(human_wrench_items(wrenches, dialect), dialect)
    assert written == found["HumanWrench"]
    names, values = decode_bottle(found["HumanDynamics"], dialect)
    torques = dict(zip(names, values, strict=True))  # type: ignore[arg-type]
    written = encode_bottle(human_dynamics_items(torques, dialect), dialect)
    assert written == found["HumanDynamics"]
    name, sensors = read_wearable_data(decode_bottle(found["WearableData"], dialect))
    assert name == "XsensSuit" and len({s.kind for s in sensors}) >= 3
    by_kind = {s.kind: s for s in sensors}
    assert by_kind["ft6D"].status is SensorStatus.TIMEOUT
    written = encode_bottle(wearable_data_items(name, sensors), dialect)
    assert written == found["WearableData"]


def test_what_is_not_finite_or_short_is_not_published() -> None:
    good = HumanState(
        joints=("a",),
        positions=np.zeros(1),
        base="root",
        world_p_base=np.zeros(3),
        base_quat_wxyz=np.array([1.0, 0.0, 0.0, 0.0]),
    )
    assert len(human_state_items(good, YARP_3)) == 18
    import dataclasses

    for change in (
        {"positions": np.array([np.nan])},
        {"positions": np.zeros(2)},
        {"com": np.zeros(2)},
    ):
        with pytest.raises(BadInput):
            human_state_items(dataclasses.replace(good, **change), YARP_3)  # type: ignore[arg-type]
    sensor = WearableSensor("pose", "S::pose::Head", SensorStatus.OK, (1.0,) * 6)
    with pytest.raises(BadInput, match="S::pose::Head: 7 numbers"):
        wearable_data_items("S", [sensor])
    for bad in ([], ["x"] * 18, [["a"], [1.0, 2.0], [], "b", *[0.0] * 14]):
        with pytest.raises(BadMessage):
            read_human_state(list(bad))
    with pytest.raises(BadMessage):
        read_wearable_data(["S", *[[["k", ["n", 99]]]] * 16])
