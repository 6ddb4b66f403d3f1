"""Sockets: who may send, what happens to the rest, and taken ports."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest
from telexist.retarget.errors import BadInput, DeviceLost
from telexist.retarget.signals import HumanClip
from telexist.teleop import clock
from telexist.teleop.devices.network import sender_gate, tcp_source
from telexist.teleop.devices.network.udp_source import MAX_DATAGRAM
from telexist.teleop.devices.person.simulated_operator import SimulatedOperator
from telexist.teleop.devices.simulators.links.links import TcpLink
from telexist.teleop.devices.simulators.senders.mvn_sender import MvnSender
from telexist.teleop.devices.vmc.vmc_stream import VmcStream
from telexist.teleop.devices.xsens.xsens_stream import XsensStream

Listen = Callable[..., object]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no sender count as silent only because the machine is busy."""
    for module in (sender_gate, tcp_source):
        monkeypatch.setattr(module, "SILENCE", 3600.0)  # [s]


@pytest.fixture(scope="module")
def datagrams(performance: HumanClip) -> list[bytes]:
    operator = SimulatedOperator(performance, loop=False)
    sender = MvnSender(kinds=("02",))
    return [
        sender.messages(pose, k, operator.size)[0]
        for k, pose in enumerate(operator.poses())
    ]


def test_only_this_machine_can_send_unless_asked(listen: Listen) -> None:
    device = XsensStream(port=0)
    listen(device)
    assert device.source._socket.getsockname()[0] == "127.0.0.1"
    assert device.name == f"xsens on 127.0.0.1:{device.port}"


@pytest.mark.parametrize(
    "make",
    [
        lambda port: XsensStream(port=port),
        lambda port: XsensStream(port=port, protocol="tcp"),
        lambda port: VmcStream(port=port),
    ],
)
def test_a_taken_port_says_what_to_do(make: Callable, listen: Listen) -> None:
    first = make(0)
    listen(first)
    second = make(first.port)
    with pytest.raises(DeviceLost, match="choose another port"):
        second.open(lambda: None)
    second.close()


def test_an_address_that_is_not_ours_says_what_to_do() -> None:
    with pytest.raises(DeviceLost, match="127.0.0.1 or 0.0.0.0"):
        XsensStream(host="203.0.113.9", port=0).open(lambda: None)


def test_opening_and_closing_twice_does_no_harm(
    listen: Listen, datagrams: list[bytes], udp_to: Listen
) -> None:
    device = XsensStream(port=0)
    listener = listen(device)
    listener.open()
    device.close()
    device.close()
    listener.open()
    udp_to(device).send(datagrams[0])
    assert listener.wait_for_person().sequence == 0


def test_the_stamp_is_the_arrival_and_the_loop_is_woken(
    listen: Listen, datagrams: list[bytes], udp_to: Listen
) -> None:
    listener = listen(XsensStream(port=0))
    before = clock.now()
    udp_to(listener.device).send(datagrams[0])
    sample = listener.wait_for_person()
    assert before <= sample.stamp == sample.human.stamp <= clock.now()
    listener.woken.clear()
    assert listener.read() is None
    udp_to(listener.device).send(b"nonsense")
    listener.wait_for_drop("stranger")  # another port than the first sender's


def test_strangers_are_counted_and_not_heard(
    listen: Listen, datagrams: list[bytes], udp_to: Listen
) -> None:
    listener = listen(XsensStream(port=0))
    friend, stranger = udp_to(listener.device), udp_to(listener.device)
    friend.send(datagrams[0])
    assert listener.wait_for_person().sequence == 0
    for data in datagrams[1:20]:
        stranger.send(data)
    listener.wait_for_drop("stranger", 19)
    friend.send(datagrams[1])
    assert listener.wait_for_person().sequence == 1


def test_what_was_refused_is_told_with_its_sender(
    listen: Listen, datagrams: list[bytes]
) -> None:
    listener = listen(XsensStream(port=0))
    udp = (socket.AF_INET, socket.SOCK_DGRAM)
    with socket.socket(*udp) as friend, socket.socket(*udp) as stranger:
        for sender in (friend, stranger):
            sender.connect(("127.0.0.1", listener.device.port))
        friend.send(datagrams[0])
        listener.wait_for_person()
        friend.send(b"noise")
        sample = listener.wait(lambda s: "malformed" in dict(s.details))
        said = "only 5 bytes, sent by {}:{}".format(*friend.getsockname())
        assert dict(sample.details)["malformed"] == said
        stranger.send(datagrams[1])
        sample = listener.wait(lambda s: "stranger" in dict(s.details))
        said = "sent by {}:{}".format(*stranger.getsockname())
        assert dict(sample.details)["stranger"] == said


def test_noise_does_not_make_a_stranger_the_sender(
    listen: Listen, datagrams: list[bytes], udp_to: Listen
) -> None:
    listener = listen(XsensStream(port=0))
    noise, friend = udp_to(listener.device), udp_to(listener.device)
    noise.send(b"first!")
    listener.wait_for_drop("malformed")
    friend.send(datagrams[0])
    assert listener.wait_for_person().sequence == 0


def test_another_sender_takes_over_after_a_silence(
    listen: Listen,
    datagrams: list[bytes],
    monkeypatch: pytest.MonkeyPatch,
    udp_to: Listen,
) -> None:
    monkeypatch.setattr(sender_gate, "SILENCE", 0.2)
    listener = listen(XsensStream(port=0))
    udp_to(listener.device).send(datagrams[30])
    assert listener.wait_for_person().sequence == 30
    clock.sleep(0.3)
    udp_to(listener.device).send(
        datagrams[3]
    )  # a new program, which counts from the start
    assert listener.wait_for_person().sequence == 3


def test_a_declared_sender_is_the_only_one_heard(
    listen: Listen, datagrams: list[bytes], udp_to: Listen
) -> None:
    listener = listen(XsensStream(port=0, sender="192.0.2.1"))
    udp_to(listener.device).send(datagrams[0])
    listener.wait_for_drop("stranger")
    assert listener.read() is None
    allowed = listen(XsensStream(port=0, sender="127.0.0.1"))
    udp_to(allowed.device).send(datagrams[0])
    assert allowed.wait_for_person().sequence == 0


def test_giant_datagrams_are_refused(listen: Listen, udp_to: Listen) -> None:
    listener = listen(XsensStream(port=0))
    udp_to(listener.device).send(bytes(MAX_DATAGRAM + 1))
    listener.wait_for_drop("malformed")


def test_nothing_queues_up(
    listen: Listen, datagrams: list[bytes], udp_to: Listen
) -> None:
    listener = listen(XsensStream(port=0))
    link = udp_to(listener.device)
    for data in datagrams:
        link.send(data)
        clock.sleep(0.001)
    newest = listener.wait(lambda sample: sample.sequence == len(datagrams) - 1)
    assert newest.human is not None
    assert listener.read() is None


def test_tcp_puts_messages_together_from_any_pieces(
    listen: Listen, datagrams: list[bytes]
) -> None:
    listener = listen(XsensStream(port=0, protocol="tcp"))
    with socket.create_connection(("127.0.0.1", listener.device.port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        stream = b"".join(datagrams[:3])
        for k in range(0, len(stream), 97):
            connection.sendall(stream[k : k + 97])
            clock.sleep(0.001)
        listener.wait(lambda sample: sample.sequence == 2)
    assert not listener.dropped


def test_tcp_reconnects(listen: Listen, datagrams: list[bytes]) -> None:
    listener = listen(XsensStream(port=0, protocol="tcp"))
    address = ("127.0.0.1", listener.device.port)
    for _ in range(3):
        link = TcpLink(address)
        link.send(datagrams[5])
        assert listener.wait_for_person().sequence == 5
        link.close()


def test_tcp_ends_a_connection_that_makes_no_sense(
    listen: Listen, datagrams: list[bytes]
) -> None:
    listener = listen(XsensStream(port=0, protocol="tcp"))
    address = ("127.0.0.1", listener.device.port)
    with socket.create_connection(address) as connection:
        connection.sendall(datagrams[0] + b"GET / HTTP/1.1\r\nHost: nobody\r\n\r\n")
        listener.wait_for_drop("malformed")
        connection.settimeout(60.0)
        assert connection.recv(1) == b""  # closed by the device
    link = TcpLink(address)
    link.send(datagrams[0])
    assert listener.wait_for_person().sequence == 0
    link.close()


def test_tcp_turns_a_second_connection_away_while_the_first_speaks(
    listen: Listen, datagrams: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = listen(XsensStream(port=0, protocol="tcp"))
    address = ("127.0.0.1", listener.device.port)
    first = TcpLink(address)
    first.send(datagrams[0])
    assert listener.wait_for_person().sequence == 0
    with socket.create_connection(address, 60.0) as second:
        assert second.recv(1) == b""
    listener.wait_for_drop("stranger")
    monkeypatch.setattr(tcp_source, "SILENCE", 0.0)  # the first one has died
    third = TcpLink(address)
    third.send(datagrams[1])
    assert listener.wait_for_person().sequence == 1
    first.close()
    third.close()


def test_wrong_options_are_refused_at_once() -> None:
    with pytest.raises(BadInput, match="udp or tcp"):
        XsensStream(protocol="sctp")
    with pytest.raises(BadInput, match="address"):
        VmcStream(sender="my phone")
