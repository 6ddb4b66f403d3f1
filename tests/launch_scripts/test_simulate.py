"""`telexist simulate`: it sends, and says in one line what is wrong."""

from __future__ import annotations

import itertools
import socket
import subprocess
import sys
import threading

import pytest
from telexist.launch_scripts.telexist import main
from telexist.teleop import clock
from telexist.teleop.devices.simulators.links.links import UdpLink
from telexist.teleop.devices.simulators.senders.mvn_sender import simulate_xsens
from telexist.teleop.devices.simulators.senders.options import SimulatorOptions
from telexist.teleop.devices.xsens.xsens_stream import XsensStream


def test_a_simulated_suit_reaches_a_device(capsys: pytest.CaptureFixture) -> None:
    device = XsensStream(port=0)
    device.open(lambda: None)
    to = f"127.0.0.1:{device.port}"
    try:
        assert main(["simulate", "xsens", "--to", to, "--duration", "0.3"]) == 0
        end, sample = clock.now() + 60.0, device.read()
        while (sample is None or sample.human is None) and clock.now() < end:
            clock.sleep(0.01)
            sample = device.read()
    finally:
        device.close()
    assert sample is not None and sample.human is not None
    assert "builtin" in capsys.readouterr().out


def test_a_proxy_stands_between() -> None:
    samples = itertools.islice(simulate_xsens(SimulatorOptions()), 600)
    packets = [packet for sample in samples for packet in sample.packets]
    device = XsensStream(port=0)
    device.open(lambda: None)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        address = probe.getsockname()
    listen, to = f"{address[0]}:{address[1]}", f"127.0.0.1:{device.port}"
    words = ["simulate", "proxy", "--listen", listen, "--to", to, "--duration", "4"]
    codes: list[int] = []
    thread = threading.Thread(
        target=lambda: codes.append(main([*words, "--faults", "nan=1"]))
    )
    thread.start()
    link = UdpLink(address)
    for packet in itertools.cycle(packets):
        link.send(packet)
        clock.sleep(0.005)
        if not thread.is_alive():
            break
    link.close()
    sample = device.read()
    device.close()
    assert codes == [0]
    assert sample is not None and sample.human is None
    assert dict(sample.dropped).keys() == {"nan"}


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_the_cable_is_named_at_once_in_a_file_too() -> None:
    words = [
        sys.executable,
        "-m",
        "telexist.launch_scripts.telexist",
        "simulate",
        "kat",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()  # it would come at the end otherwise: never
        running = process.poll() is None
        process.terminate()
    assert running
    assert "kat: builtin to /dev/" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["xsen"], "did you mean 'xsens'"),
        (["xsens", "--faults", "los=1"], "did you mean 'loss'"),
        (["xsens", "nothing.bvh"], "no such file"),
        (["xsens", "--to", "here"], "HOST:PORT"),
        (["vmc", "--protocol", "tcp"], "udp"),
        (["vmc", "--rate", "0"], "1 to 1000"),
        (["vmc", "--set", "colour=red"], "no setting called 'colour'"),
        (["kat", "--faults", "nan=1"], "fault nan: kat cannot have it"),
        (["openvr"], "telexist teleoperate --source openvr:simulated"),
        (["joypad"], "telexist teleoperate --walk-input joypad:simulated"),
        (["proxy"], "--listen"),
        (["proxy", "--listen", "203.0.113.9:1", "--to", "a:1"], "127.0.0.1"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture
) -> None:
    assert main(["simulate", *words]) != 0
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
