"""Every registered format, given whole files with a little damage.

What comes back is a clip of plain numbers, or one line that names the file: never
another error, a warning, a character that steers a terminal, or much memory.
"""

from __future__ import annotations

import io
import re
import struct
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadRecording, ModelNotFound, TelexistError
from telexist.retarget.recordings.format import FORMATS, read_clip
from telexist.retarget.recordings.npz.clip_file import save_clip

Write = Callable[[Path], Path]
Random = np.random.Generator

COUNT = 20  # damaged files of each format
MOST_MEMORY = 200_000_000  # [B] for files of a few hundred kB
NO_PERSON = (".mot", ".sto")
"""Their seeds move a model that is no person, and are read until that is known."""
WORDS = (
    *(b"nan", b"inf", b"-1", b"0", b"1e308", b"-1e-320", b"9" * 400, b"[" * 3000),
    *(b"{" * 3000, b"(" * 3000, b"'", b'"', b"\x1b[31m", b"\0", b"\xff\xfe", b"null"),
    *(b"=", b"\n", b"\t", b",", b"<a>", b"</", b"&#27;", b"4294967295", b"-2147483648"),
)
NUMBERS = (
    *(struct.pack("<d", x) for x in (np.nan, np.inf, 1e308, -1e300, 0.0)),
    *(struct.pack("<i", x) for x in (-1, 2**31 - 1, 0, -(2**31), 65536)),
    *(struct.pack("<I", x) for x in (0x7F800001, 0x7F7FFFFF)),  # a signalling NaN
    *(struct.pack("<h", x) for x in (-1, 32767, 0)),
)
UNFORESEEN = re.compile(r"damaged: \w*(Error|error)")
"""What `read_clip` says when a reader raised something else."""
IN_TEXT = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def damaged(data: bytes, random: Random) -> bytes:
    """Return the file with one to three kinds of damage, half of them near its head."""
    if data.startswith(b"PK") and random.random() < 0.6:
        return _in_archive(data, random)
    if data.startswith(b"glTF") and random.random() < 0.6:
        length = struct.unpack_from("<I", data, 12)[0]
        text = damaged(data[20 : 20 + length], random)
        text += b" " * (-len(text) % 4)
        rest = data[20 + length :]
        sizes = (b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON")
        return struct.pack("<4sIII4s", *sizes) + text + rest
    for _ in range(int(random.integers(1, 4))):
        data = _once(bytearray(data), random)
    return data


def _in_archive(data: bytes, random: Random) -> bytes:
    """Damage a member and let the checksums be right."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(file, "w") as bad:
        names = whole.namelist()
        victim = names[random.integers(len(names))]
        for name in names:
            content = whole.read(name)
            bad.writestr(name, damaged(content, random) if name == victim else content)
    return file.getvalue()


def _once(data: bytearray, random: Random) -> bytes:
    most = min(len(data), 2000) if random.random() < 0.5 else len(data)
    at, size = int(random.integers(most + 1)), int(random.integers(1, 200))
    kind = random.integers(8)
    if kind == 0:
        data[at : at + 1] = bytes([int(random.integers(256))])
    elif kind == 1:
        del data[at:]
    elif kind == 2:
        del data[at : at + size]
    elif kind == 3:
        data[at:at] = WORDS[random.integers(len(WORDS))]
    elif kind == 4:
        data[at:at] = data[at : at + size]
    elif kind == 5:
        number = NUMBERS[random.integers(len(NUMBERS))]
        data[at : at + len(number)] = number
    elif found := IN_TEXT.search(data, at):
        data[slice(*found.span())] = WORDS[random.integers(len(WORDS))]
    return bytes(data)


def test_every_format_has_a_whole_file_to_damage(seeds: Mapping[str, Write]) -> None:
    assert set(seeds) == set(FORMATS)


@pytest.mark.parametrize("suffix", sorted(FORMATS))
@pytest.mark.filterwarnings("ignore:Gimbal lock")
def test_damage_is_one_line_or_a_clip_of_plain_numbers(
    suffix: str, seeds: Mapping[str, Write], tmp_path: Path
) -> None:
    try:
        path = seeds[suffix](tmp_path / f"strange{suffix}")
    except ModelNotFound as error:
        pytest.skip(str(error))
    whole = path.read_bytes()
    if suffix in NO_PERSON:
        with pytest.raises(BadRecording):
            read_clip(path)
    else:
        assert len(read_clip(path)) > 1
    random, read = np.random.default_rng(sum(map(ord, suffix))), 0
    for _ in range(COUNT):
        path.write_bytes(damaged(whole, random))
        read += _is_read(path)
    assert read < COUNT


@pytest.mark.parametrize(
    "name",
    [
        *("robot.toml", "session.toml", "clip.toml", "anna.toml"),
        *("joypad.toml", "marks.json", "walk.csv"),
    ],
)
def test_damage_to_other_files_is_one_line_or_unseen(
    name: str,
    others: Mapping[str, tuple[Callable[[Path], object], Callable[[], str]]],
    tmp_path: Path,
) -> None:
    read, text = others[name]
    path, whole = tmp_path / name, text().encode()
    path.write_bytes(whole)
    read(path)
    random, refused = np.random.default_rng(sum(map(ord, name))), 0
    for _ in range(3 * COUNT):
        path.write_bytes(damaged(whole, random))
        try:
            read(path)
        except TelexistError as error:
            assert str(error).isprintable() and len(str(error)) < 1000
            refused += 1
    assert refused > COUNT


def test_a_person_at_the_end_of_the_world_is_refused(
    seeds: Mapping[str, Write], tmp_path: Path
) -> None:
    clip = read_clip(seeds[".npz"](tmp_path / "near.npz"))
    far = replace(clip, positions=clip.positions + 1e6)
    save_clip(tmp_path / "far.npz", far)
    with pytest.raises(BadRecording, match="m away: damaged, or in another unit"):
        read_clip(tmp_path / "far.npz")


def _is_read(path: Path) -> bool:
    tracemalloc.start()
    try:
        clip = read_clip(path)
    except TelexistError as error:
        text = str(error)
        assert text.isprintable() and len(text) < 1000
        assert not UNFORESEEN.search(text), "its reader must say what is wrong"
        return False
    finally:
        memory = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert memory < MOST_MEMORY
    for values in (clip.time, clip.rotations, clip.positions, clip.linear_velocities):
        assert np.isfinite(values).all()
    return True
