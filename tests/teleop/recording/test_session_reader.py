"""Files that are cut, damaged, foreign or hostile give what is whole, or one line."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import numpy as np
import orjson
import pytest
import zstandard
from mcap.writer import CompressionType, Writer
from telexist.retarget.errors import BadRecording, UnknownName
from telexist.teleop.recording.mcap_writer import MAGIC
from telexist.teleop.recording.session_header import SessionHeader
from telexist.teleop.recording.session_reader import SessionReader
from telexist.teleop.terms.tick import Tick


def read_all(path: Path) -> int:
    """Read every channel that has plain arrays; return the number of turns."""
    reader = SessionReader(path)
    for name in ("raw", "robot", "controller", "input", "command"):
        reader.arrays(name)
    reader.events()
    return len(reader.arrays("loop").get("tick", ()))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, header: SessionHeader) -> Path:
    """Return a finished file of many small chunks, from the library's own writer."""
    path = tmp_path_factory.mktemp("small") / "small.mcap"
    with path.open("wb") as file:
        writer = Writer(file, chunk_size=400)
        writer.start()
        writer.add_metadata("session", header.metadata())
        schema = writer.register_schema("a", "jsonschema", b"{}")
        channel = writer.register_channel("/loop", "json", schema)
        for number in range(60):
            writer.add_message(channel, number, _loop(number), number, number)
        writer.finish()
    return path


def _loop(number: int) -> bytes:
    return orjson.dumps(
        {
            "tick": number,
            "stamp": number / 200.0,
            "period": 0.005,
            "age": None,
            "state": "idle",
            "stages": [0.0] * 6,
        }
    )


def test_a_file_cut_anywhere_gives_the_turns_before_the_cut(
    session: Path, tmp_path: Path, ticks: tuple[Tick, ...]
) -> None:
    whole = session.read_bytes()
    rng = np.random.default_rng(7)
    path = tmp_path / "cut.mcap"
    refused, counts = 0, set()
    for size in sorted(rng.integers(0, len(whole), 100).tolist()):
        path.write_bytes(whole[:size])
        try:
            turns = SessionReader(path).arrays("loop").get("tick", np.empty(0))
        except BadRecording as error:
            assert "\n" not in str(error)
            refused += 1
            continue
        assert np.array_equal(turns, np.arange(len(turns)))
        assert not SessionReader(path).complete and SessionReader(path).problems
        counts.add(len(turns))
    assert refused < 20 and len(counts) > 10


def test_more_of_a_file_never_gives_fewer_turns(small: Path, tmp_path: Path) -> None:
    whole = small.read_bytes()
    rng = np.random.default_rng(8)
    path = tmp_path / "cut.mcap"
    counts = []
    for size in sorted(rng.integers(0, len(whole), 100).tolist()):
        path.write_bytes(whole[:size])
        try:
            counts.append(read_all(path))
        except BadRecording:
            counts.append(0)
    assert counts == sorted(counts) and counts[-1] == 60
    assert len(set(counts)) > 10


def test_flipped_bytes_never_raise_anything_else(session: Path, tmp_path: Path) -> None:
    whole = bytearray(session.read_bytes())
    rng = np.random.default_rng(9)
    path = tmp_path / "flipped.mcap"
    said = 0
    for _ in range(60):
        damaged = bytearray(whole)
        for place in rng.integers(0, len(whole), 5):
            damaged[place] ^= int(rng.integers(1, 256))
        path.write_bytes(damaged)
        try:
            reader = SessionReader(path)
            reader.arrays("loop")
            said += bool(reader.problems)
        except BadRecording as error:
            assert "\n" not in str(error)
            said += 1
    assert said > 40


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a\n" + b"0" * 100,
        b"0" * 1000,
        MAGIC,
        MAGIC + b"\0" * 1000,
        MAGIC + struct.pack("<BQ", 6, 2**63) + b"0" * 50,
        MAGIC + struct.pack("<BQ", 12, 20) + struct.pack("<I", 2**32 - 1) + b"0" * 16,
    ],
)
def test_other_files_are_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "other.mcap"
    path.write_bytes(data)
    with pytest.raises(BadRecording) as caught:
        SessionReader(path)
    assert "other.mcap" in str(caught.value) and "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRecording, match="No such file"):
        SessionReader(tmp_path / "none.mcap")
    with pytest.raises(BadRecording):
        SessionReader(tmp_path)


def test_somebody_elses_mcap_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ros.mcap"
    with path.open("wb") as file:
        writer = Writer(file, compression=CompressionType.NONE)
        writer.start()
        writer.finish()
    with pytest.raises(BadRecording, match="not a session"):
        SessionReader(path)


def test_a_chunk_that_unpacks_to_more_than_it_says_is_skipped(
    tmp_path: Path, header: SessionHeader
) -> None:
    bomb = zstandard.ZstdCompressor().compress(b"0" * 200_000_000)
    name = b"zstd"
    chunk = struct.pack("<QQQII", 0, 0, 1000, 0, 4) + name
    chunk += struct.pack("<Q", len(bomb)) + bomb
    file = io.BytesIO()
    writer = Writer(file, use_chunking=False)
    writer.start()
    writer.add_metadata("session", header.metadata())
    path = tmp_path / "bomb.mcap"
    path.write_bytes(file.getvalue() + struct.pack("<BQ", 6, len(chunk)) + chunk)
    reader = SessionReader(path)
    assert reader.arrays("loop") == {}
    assert any("damaged chunk" in problem for problem in reader.problems)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"[1, 2]", "not a table"),
        (b"{", "line 1"),
        (b'{"tick": 1}', "lacks stamp"),
        (_loop(1).replace(b'"idle"', b"7"), "state is not a string"),
        (_loop(1).replace(b"0.005,", b'"x",'), "stamp is not made of numbers"),
        (_loop(1).replace(b"[0.0,", b"["), "stages has shape"),
        (_loop(1).replace(b"[0.0,", b"[[0.0],"), "stages is not made of numbers"),
        (b"[" * 5000, "line 1"),
    ],
)
def test_a_message_that_breaks_its_promise_is_named(
    tmp_path: Path, header: SessionHeader, data: bytes, problem: str
) -> None:
    path = tmp_path / "bad.mcap"
    with path.open("wb") as file:
        writer = Writer(file)
        writer.start()
        writer.add_metadata("session", header.metadata())
        schema = writer.register_schema("a", "jsonschema", b"{}")
        channel = writer.register_channel("/loop", "json", schema)
        writer.add_message(channel, 5, data, 5, 3)
        writer.finish()
    with pytest.raises(BadRecording, match="/loop, turn 3") as caught:
        SessionReader(path).arrays("loop")
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("key", "text", "problem"),
    [
        ("format_version", "9", "format 9"),
        ("joints", "[1]", "a name"),
        ("joints", "{}", "a list"),
        ("units", '["rad"]', "do not fit"),
        ("started", "soon", "could not convert"),
    ],
)
def test_a_wrong_header_is_named(
    tmp_path: Path, header: SessionHeader, key: str, text: str, problem: str
) -> None:
    path = tmp_path / "header.mcap"
    with path.open("wb") as file:
        writer = Writer(file)
        writer.start()
        writer.add_metadata("session", header.metadata() | {key: text})
        writer.finish()
    with pytest.raises(BadRecording, match=f"header: .*{problem}"):
        SessionReader(path)


def test_an_unknown_channel_is_named(session: Path) -> None:
    with pytest.raises(UnknownName, match="reference"):
        SessionReader(session).arrays("refrence")
