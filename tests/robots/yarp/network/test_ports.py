"""Ports of ours on real sockets: what other programs say to them, and their answers."""

from __future__ import annotations

import json
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, BadMessage, DeviceLost, RobotLost
from telexist.robots.yarp.network import (
    Contact,
    NameClient,
    Port,
    PortLink,
    PortSession,
)
from telexist.robots.yarp.simulated import SimulatedNameServer
from telexist.robots.yarp.wire import (
    OK,
    YARP_3,
    Bottle,
    Envelope,
    Vocab,
    decode_bottle,
    encode_bottle,
    frame,
    handshake,
    print_text,
)

PATIENCE = 30.0  # [s]


@pytest.fixture
def names() -> Iterator[NameClient]:
    server = SimulatedNameServer()
    server.open()
    yield NameClient(server.host, server.port)
    server.close()


class Heard:
    """What came to a port."""

    def __init__(self) -> None:
        self.messages: list[tuple[Bottle, Envelope | None, str]] = []
        self.news = threading.Condition()

    def take(self, payload: bytes, envelope: Envelope | None, source: str) -> None:
        with self.news:
            self.messages.append((decode_bottle(payload, YARP_3), envelope, source))
            self.news.notify_all()

    def wait(self, count: int) -> None:
        with self.news:
            assert self.news.wait_for(lambda: len(self.messages) >= count, PATIENCE)


@pytest.fixture
def port(names: NameClient) -> Iterator[tuple[Port, Heard]]:
    heard = Heard()
    port = Port("/probe/in", names, dialect=YARP_3, on_message=heard.take)
    port.open()
    yield port, heard
    port.close()


def talk(port: Port, text: str, until: str) -> str:
    with socket.create_connection((port.host, port.port), PATIENCE) as link:
        link.sendall(text.encode())
        said = ""
        while until not in said:
            piece = link.recv(4096).decode()
            assert piece, said
            said += piece
        return said


def test_text_and_admin_are_answered_as_yarp_answers(port: tuple[Port, Heard]) -> None:
    mine, heard = port
    said = talk(mine, "CONNACK <ping>\r\n*\r\n", "<ACK>")
    assert said == (
        "Welcome <ping>\r\n"
        f"This is /probe/in at tcp://127.0.0.1:{mine.port}/\r\n"
        "There are no outgoing connections\r\n"
        "There is an input connection from <ping> to /probe/in using text_ack\r\n"
        "<ACK>\r\n"
    )
    ver = talk(mine, "CONNACK admin\r\na\r\n[ver]\r\n", "<ACK>")
    assert ver == "Welcome admin\r\n[ver] 1 2 3\r\n<ACK>\r\n"
    none = talk(mine, 'CONNACK admin\r\na\r\n[list] [out] "/x"\r\n', "<ACK>")
    assert none == "Welcome admin\r\n\r\n<ACK>\r\n"
    end = "Removing connection from /a to /probe/in\r\n"
    assert end in talk(mine, "CONNECT admin\r\n~/a\r\nq\r\n", end)
    talk(mine, 'CONNACK me\nd\nhello 1 2.5 (3 4) [set] "two words"\n', "<ACK>")
    heard.wait(1)
    sent = 'hello 1 2.5 (3 4) [set] "two words"'
    assert print_text(heard.messages[0][0]) == sent


@pytest.mark.parametrize("carrier", ["tcp", "fast_tcp"])
def test_one_port_sends_to_another_and_is_disconnected(
    names: NameClient, port: tuple[Port, Heard], carrier: str
) -> None:
    mine, heard = port
    out = Port("/probe/out", names, dialect=YARP_3)
    out.open()
    said = talk(out, f'CONNACK admin\na\n[add] "{carrier}://probe/in"\n', "<ACK>")
    words = f'0 "Added connection from /probe/out to {carrier}://probe/in\\r\\n"'
    assert words in said
    out.write([1, 2.5, [Vocab("set")]], Envelope(3, 1234.5))
    heard.wait(1)
    assert heard.messages == [
        ([1, 2.5, [Vocab("set")]], Envelope(3, 1234.5), "/probe/out")
    ]
    assert mine.input_names() == ["/probe/out"]
    listed = talk(out, 'CONNACK admin\na\n[list] [out] "/probe/in"\n', "<ACK>")
    words = f'(from "/probe/out") (to "/probe/in") (carrier {carrier})'
    assert words in listed
    gone = talk(out, 'CONNACK admin\na\n[del] "/probe/in"\n', "<ACK>")
    assert '0 "Removed connection from /probe/out to /probe/in\\r\\n"' in gone
    out.close()
    assert names.query("/probe/out") is None
    assert names.query("/probe/in") is not None


def test_an_output_comes_back_when_its_reader_does(names: NameClient) -> None:
    out = Port("/probe/out", names, dialect=YARP_3)
    out.open()
    heard = Heard()
    first = Port("/probe/in", names, dialect=YARP_3, on_message=heard.take)
    first.open()
    out.connect("/probe/in")
    first.close()
    again = Port(
        "/probe/in", names, dialect=YARP_3, port=first.port, on_message=heard.take
    )
    again.open()
    end = time.monotonic() + PATIENCE
    while not heard.messages and time.monotonic() < end:
        out.write([1])
        time.sleep(0.02)
    assert heard.messages
    out.close()
    again.close()


def test_datagrams_are_taken_if_their_checksum_is_right(
    port: tuple[Port, Heard],
) -> None:
    mine, heard = port
    with (
        socket.create_connection((mine.host, mine.port), PATIENCE) as link,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out,
    ):
        link.sendall(handshake("/probe/out", "udp"))
        number = int.from_bytes(link.recv(8)[2:6], "little")
        body = frame(encode_bottle([7, 8], YARP_3))
        check = zlib.crc32(body).to_bytes(4, "little")
        out.sendto(b"\0\0\0\0" + bytes(4) + body, (mine.host, number))
        out.sendto(check + bytes(4) + body, (mine.host, number))
        heard.wait(1)
    assert [items for items, *_ in heard.messages] == [[7, 8]]


def test_questions_are_answered_and_silence_is_told(names: NameClient) -> None:
    sleeping = threading.Event()

    def answer(question: Bottle, source: str) -> Bottle:
        if question == ["sleep"]:
            sleeping.wait(PATIENCE)
        return [OK, *question]

    port = Port("/probe/rpc", names, dialect=YARP_3, on_question=answer)
    port.open()
    contact = names.query("/probe/rpc")
    assert contact is not None
    link = PortLink(contact, "/me", timeout=0.3)
    assert link.ask([1, "x"], YARP_3) == [OK, 1, "x"]
    long = ["word" * 50] * 2000
    assert link.ask(list(long), YARP_3) == [OK, *long]
    with pytest.raises(RobotLost, match="/probe/rpc does not answer"):
        link.ask(["sleep"], YARP_3)
    sleeping.set()
    link.close()
    port.close()
    with pytest.raises(RobotLost, match="does not answer"):
        PortLink(contact, "/me", timeout=0.3)


def test_wrong_names_places_and_addresses_are_told(names: NameClient) -> None:
    assert names.query("/nobody") is None
    with pytest.raises(BadInput, match="no name of a port"):
        Port("no slash", names, dialect=YARP_3).open()
    with pytest.raises(RobotLost, match="there is no YARP port called /nobody"):
        Port("/a", names, dialect=YARP_3).connect("/nobody")
    with pytest.raises(DeviceLost, match="cannot listen on"):
        Port("/a", names, dialect=YARP_3, host="192.0.2.1").open()
    with pytest.raises(RobotLost, match="start yarpserver"):
        NameClient("127.0.0.1", 1, timeout=0.5).list()
    with pytest.raises(RobotLost, match="does not speak YARP|closed|refuses"):
        PortLink(Contact("/x", names.host, names.port), "/me", timeout=0.3)


def test_the_name_server_answers_as_the_captured_one(shared_data: Path) -> None:
    path = shared_data / "yarp" / "3.12" / "ns.jsonl"
    if not path.exists():
        pytest.skip("no captures of YARP here: see tests/conftest.py")
    server = SimulatedNameServer(port=10000)
    turns = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    compared = 0
    for asked, told in zip(turns, turns[1:], strict=False):
        if "hex" not in asked or "hex" not in told or asked["from"] != "client":
            continue
        command = bytes.fromhex(asked["hex"]).decode().strip()
        words = command.removeprefix("NAME_SERVER ")
        real = bytes.fromhex(told["hex"]).decode().replace("\r\n", "\n").split("\n")
        if (
            "..." in words
            or "list" in words
            or words.endswith("register /telexist/probe:o")
        ):
            server.answer(words)
            continue  # numbers and names that the server chooses
        assert [*server.answer(words), ""] == real, words
        compared += 1
    assert compared > 8


class Nobody:
    """Owner of a session that is talked nonsense to."""

    dialect = YARP_3

    def take_message(self, payload: bytes, *_: object, **__: object) -> Bottle | None:
        return [OK]

    def take_admin(self, command: Bottle) -> Bottle:
        return [OK]

    def describe(self) -> list[str]:
        return ["nobody"]

    def remove_input(self, source: str) -> str:
        return ""

    def answer_handshake(self, carrier: str, source: str) -> int:
        return 1


def test_hostile_conversations_end_in_words() -> None:
    rng = np.random.default_rng(11)
    talks = [
        handshake("/a", "tcp") + frame(encode_bottle([1, "x"], YARP_3), "d"),
        handshake("/a", "fast_tcp") + frame(b"", "D", Envelope(1, 2.0)),
        b'CONNACK a\r\na\r\n[list] [in] "/x"\r\nd\r\n1 2 (3)\r\nq\r\n',
        b"CONNECT a\nd\nhello\n*\n~/b\n",
    ]
    ended = 0
    for i in range(10_000):
        data = bytearray(talks[i % 4]) if i % 2 else bytearray(rng.bytes(60))
        for _ in range(int(rng.integers(1, 5))):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        session = PortSession(Nobody())
        cut = int(rng.integers(1, len(data)))
        try:
            session.feed(bytes(data[:cut]))
            session.feed(bytes(data[cut:]))
        except BadMessage:
            ended += 1
    assert 1_000 < ended < 10_000


def test_a_port_survives_nonsense_on_its_socket(port: tuple[Port, Heard]) -> None:
    mine, heard = port
    rng = np.random.default_rng(3)
    for _ in range(50):
        with socket.create_connection((mine.host, mine.port), PATIENCE) as link:
            link.sendall(rng.bytes(200))
    talk(mine, "CONNACK me\nd\n1\n", "<ACK>")
    heard.wait(1)
    assert heard.messages[-1][0] == [1]
