"""Lines for the terminal: whoever says one never waits for it."""

from __future__ import annotations

import os
import threading

from telexist.teleop.sinks.line_writer import LineWriter

PATIENCE = 60.0  # [s]
LONG = "x" * 500


def test_a_reader_that_stops_holds_nobody_up_and_hears_how_much_it_missed() -> None:
    reader, end = os.pipe()
    with open(end, "w") as stream:
        writer = LineWriter(stream, capacity=100)
        for _ in range(5000):  # many times what the pipe and the queue can hold
            writer.put(LONG)
        read, done = bytearray(), threading.Event()

        def drain() -> None:
            while piece := os.read(reader, 1 << 16):
                read.extend(piece)
            done.set()

        thread = threading.Thread(target=drain)
        thread.start()
        writer.close(PATIENCE)
    assert done.wait(PATIENCE)
    thread.join()
    os.close(reader)
    *lines, last = read.decode().splitlines()
    assert 100 <= len(lines) < 5000
    assert set(lines) == {LONG}
    assert (
        last
        == f"telexist: {5000 - len(lines)} lines left out: the terminal did not read"
    )


def test_at_the_end_a_terminal_that_does_not_read_is_left() -> None:
    reader, end = os.pipe()
    with open(end, "w") as stream:
        writer = LineWriter(stream)
        for _ in range(1000):
            writer.put(LONG)
        writer.close(0.05)  # returns, although nothing was read
        os.close(reader)


def test_a_reader_that_goes_away_is_told_once() -> None:
    reader, end = os.pipe()
    told: list[str] = []
    with open(end, "w") as stream:
        writer = LineWriter(stream, lost=told.append)
        os.close(reader)
        writer.put("to nobody")
        writer.close(PATIENCE)
        writer.put("to nobody")
    assert told == ["Broken pipe"]
    assert writer.problem == "Broken pipe"
