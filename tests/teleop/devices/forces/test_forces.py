"""Sensors under the feet: the wire, the faults, what the estimate makes of them."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, TelexistError, UnknownName
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.teleop import clock
from telexist.teleop.devices.base import DeviceOptions, RefusedMessage, make_device
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.forces import (
    InsoleReading,
    build_moticon,
    parse_moticon,
    sole_forces,
)
from telexist.teleop.devices.forces.lsl_forces import lsl_wrenches
from telexist.teleop.devices.forces.moticon_stream import insole_forces
from telexist.teleop.devices.forces.simulated_forces import SimulatedForces
from telexist.teleop.devices.forces.sole_faults import SOLE_FAULTS, parse_sole_faults
from telexist.teleop.devices.simulators.links import make_link
from telexist.teleop.devices.simulators.senders import (
    SimulatorOptions,
    load_simulator,
)
from telexist.teleop.devices.simulators.senders.force_senders import insole_reading
from telexist.teleop.terms import DeviceSample, Provides

CLIP = builtin_clip(rate=30.0)
MASS = 70.0


def reading(**changes: object) -> InsoleReading:
    told = {
        "time": 12.34,
        "pressure_centre": np.array([[0.1, -0.05], [0.2, 0.03]]),
        "force": np.array([300.0, 380.0]),
        "pressures": np.arange(32.0).reshape(2, 16),
    }
    return InsoleReading(**(told | changes))  # type: ignore[arg-type]


def wait_for(
    device: Device, enough: Callable[[list[DeviceSample]], bool]
) -> list[DeviceSample]:
    samples: list[DeviceSample] = []
    end = clock.now() + 120.0
    while not enough(samples):
        assert clock.now() < end
        sample = device.read()
        if sample is not None:
            samples.append(sample)
        clock.sleep(0.002)
    return samples


def test_insoles_say_over_the_wire_what_they_feel() -> None:
    data = build_moticon(reading())
    assert len(data.split()) == 51
    again = parse_moticon(data)
    assert again.time == 12.34
    assert np.allclose(again.force, [300.0, 380.0])
    assert np.allclose(again.pressure_centre, reading().pressure_centre)
    assert np.array_equal(again.pressures, reading().pressures)
    # the order: time, then of each foot 3, 3, 2, 16 and the force
    words = data.split()
    assert float(words[25]) == 300.0 and float(words[50]) == 380.0


def test_hostile_text_is_refused_by_its_reason() -> None:
    good = build_moticon(reading())
    for data in (
        b"",
        b"\x00" * 400,
        b"1 2 3",
        good.replace(b"380", b"abc"),
        good.replace(b"300", b"9e9"),
        b"nan " + good.split(b" ", 1)[1],
        b" ".join([b"1"] * 5000),
    ):
        with pytest.raises(RefusedMessage) as raised:
            parse_moticon(data)
        assert raised.value.reason == "malformed"
    lost = parse_moticon(
        good.replace(b"300", b"nan")
    )  # one dead sensor: the other says
    assert np.isnan(lost.force[0]) and lost.force[1] == 380.0


def test_the_place_of_the_force_is_a_moment_below_the_ankle() -> None:
    wrench = np.zeros((2, 6))
    wrench[:, 2] = 400.0
    wrench[0, 4] = -400.0 * 0.06  # 6 cm ahead of the ankle
    wrench[1, 3] = 400.0 * 0.02  # 2 cm to the left
    forces = insole_forces(insole_reading(1.0, wrench, 0.26), 0.26, 5.0)
    assert forces.stamp == 5.0 and forces.source_time == 1.0
    assert np.allclose(forces.wrench[:, 2:5], wrench[:, 2:5], atol=1e-9)
    assert np.isnan(forces.wrench[:, [0, 1, 5]]).all()
    assert np.isinf(forces.deviation[:, [0, 1, 5]]).all()
    assert np.all(forces.deviation[:, 2] >= 10.0)
    air = insole_forces(reading(force=np.array([0.0, 690.0])), 0.26, 5.0)
    assert np.array_equal(air.wrench[0, 2:5], np.zeros(3))


def test_simulated_insoles_are_heard_over_a_real_socket() -> None:
    device = make_device("moticon:0")
    device.open(lambda: None)
    link, _ = make_link("udp", f"127.0.0.1:{device.port}")  # type: ignore[attr-defined]
    simulate = load_simulator("moticon")
    packets = simulate(SimulatorOptions(settings={"mass": str(MASS)}))
    stop = threading.Event()

    def send() -> None:
        for timed in packets:
            if stop.wait(0.002):
                return
            link.send(timed.packets[0])

    sender = threading.Thread(target=send)
    sender.start()
    try:
        samples = wait_for(device, lambda got: len(got) > 20)
    finally:
        stop.set()
        sender.join()
        link.close()
        device.close()
    assert all(sample.human is None for sample in samples)
    felt = [s.forces.wrench[:, 2].sum() for s in samples if s.forces is not None]
    assert len(felt) > 15
    assert np.median(felt) == pytest.approx(MASS * 9.81, rel=0.1)  # stands at first
    with pytest.raises(BadInput, match="mass"):
        list(simulate(SimulatorOptions(settings={"mass": "fat"})))


def test_perfect_sensors_carry_the_person() -> None:
    forces = sole_forces(CLIP, MASS)
    up = forces.wrench[:, :, 2].sum(axis=1)
    assert up[: int(0.5 * CLIP.rate)].mean() == pytest.approx(MASS * 9.81, rel=0.02)
    assert forces.wrench.shape == (len(CLIP), 2, 6)
    between = forces.at(0.5 * (forces.time[3] + forces.time[4]))
    assert np.allclose(between, forces.wrench[3:5].mean(axis=0))
    assert np.allclose(forces.at(-1.0), forces.wrench[0])
    assert np.allclose(forces.at(1e9), forces.wrench[-1])


def faulty(fault: str) -> list[DeviceSample]:
    """Play simulated sensors through a fault that is there from the begin."""
    device = SimulatedForces(
        CLIP, mass=MASS, load=0.0, faults=parse_sole_faults(fault, "0", "3600")
    )
    device.open(lambda: None)
    try:
        if fault == "lost":
            clock.sleep(1.0)
            return [s for _ in range(50) if (s := device.read()) is not None]
        return wait_for(device, lambda got: len(got) > 8)
    finally:
        device.close()


@pytest.mark.slow
@pytest.mark.parametrize("fault", SOLE_FAULTS)
def test_a_faulty_sensor_does_what_such_sensors_do(fault: str) -> None:
    samples = [s.forces for s in faulty(fault) if s.forces is not None]
    if fault == "lost":
        assert not samples
        return
    wrenches = np.array([s.wrench for s in samples])
    if fault == "frozen":
        assert np.all(wrenches[1:] == wrenches[0])
    elif fault == "saturated":
        assert np.all(wrenches == samples[0].full_scale)
    elif fault == "nan":
        assert np.isnan(wrenches).all()
    elif fault == "late":
        transit = [s.stamp - s.source_time for s in samples]
        assert np.ptp(transit) < 10.0 and len(set(transit)) > 1
        assert len({s.source_time for s in samples}) == len(samples)
    else:
        assert np.isfinite(wrenches).all()


def test_faults_come_one_after_another() -> None:
    faults = parse_sole_faults("lost+nan", "5", "2")
    told = [
        faults.at(t) for t in (0.0, 4.9, 5.1, 6.9, 7.1, 9.9, 10.1, 11.9, 12.1, 99.0)
    ]
    assert told == ["", "", "lost", "lost", "", "", "nan", "nan", "", ""]
    assert parse_sole_faults("all", "0", "1").kinds == SOLE_FAULTS
    with pytest.raises(UnknownName, match="frozen"):
        parse_sole_faults("frosen", "0", "1")
    with pytest.raises(BadInput, match="from=soon"):
        parse_sole_faults("nan", "soon", "1")


def test_channels_of_a_stream_are_forces_of_feet() -> None:
    wrench, deviation = lsl_wrenches(np.array([300.0, 400.0]), "")
    assert np.array_equal(wrench[:, 2], [300.0, 400.0])
    assert np.isinf(deviation[:, :2]).all()
    wrench, deviation = lsl_wrenches(np.arange(6.0), "right")
    assert np.array_equal(wrench[1], np.arange(6.0))
    assert np.isnan(wrench[0]).all() and np.isinf(deviation[0]).all()
    wrench, _ = lsl_wrenches(np.arange(12.0), "")
    assert np.array_equal(wrench[1], np.arange(6.0, 12.0))


@pytest.mark.slow
def test_a_real_stream_is_found_heard_lost_and_found_again() -> None:
    pylsl = pytest.importorskip("pylsl")
    device = make_device("lsl:telexist-test-soles")

    def outlet() -> object:
        info = pylsl.StreamInfo(
            "telexist-test-soles", "Force", 2, 100, "float32", "telexist-test"
        )
        return pylsl.StreamOutlet(info)

    device.open(lambda: None)
    try:
        for total in (700.0, 600.0):
            stream = outlet()
            felt: list[float] = []
            end = clock.now() + 60.0
            while len(felt) < 5 and clock.now() < end:
                stream.push_sample([0.4 * total, 0.6 * total])  # type: ignore[attr-defined]
                clock.sleep(0.01)
                try:
                    sample = device.read()
                except TelexistError:
                    continue  # it was told that the stream had ended
                if sample is not None and sample.forces is not None:
                    felt.append(float(sample.forces.wrench[:, 2].sum()))
            if not felt and total == 700.0:
                pytest.skip("no multicast here: streams cannot be found")
            assert felt[-1] == pytest.approx(total)
            del stream
    finally:
        device.close()


def test_what_is_asked_for_wrongly_is_one_clear_line() -> None:
    for text, word in (
        ("forces:real", "moticon"),
        ("forces:simulated?mass=heavy", "mass"),
        ("moticon:99999", "port"),
        ("moticon?centre=up", "along-across"),
        ("moticon?length=9", "length"),
        ("forces:simulated?fault=tired", "tired"),
    ):
        with pytest.raises(BadInput, match=word) as raised:
            make_device(text, DeviceOptions())
        assert "\n" not in str(raised.value)
    device = make_device("forces:simulated")
    assert device.provides == {Provides.FORCES}
