"""Operator and robot on two machines: how old poses and pictures are on a bad line.

Each side runs in a network namespace of its own; this program plays the line between
them, packet by packet: delay, loss, jitter, 20 Mbit/s. The real two sides talk over it
with mutual TLS and sealed datagrams: 90 Hz poses, pictures of 640 x 480 at 30 Hz. The
namespaces share one clock, so ages are the true ones. Linux, as root.

    telexist bench network --json network.json
    telexist bench network --round-trip 100 --loss 2 --jitter 5 --duration 30
    telexist bench network --nat             both behind a NAT, by an OpenVPN hub
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from telexist.benchmarks.network.tun_line import Line, Machine, start_machine
from telexist.benchmarks.tables import describe_machine, print_table, write_json
from telexist.retarget.errors import BadInput, UsageError
from telexist.teleop.devices.remote import Identity

__all__ = ["LineTimes", "main", "measure"]

ROLES = "telexist.benchmarks.network.sides"
OPERATOR, ROBOT, HUB = "10.0.0.2", "10.0.0.3", "10.0.0.4"
CASES = ((0.0, 0.0, 0.0), (40.0, 1.0, 3.0), (100.0, 2.0, 5.0), (200.0, 5.0, 10.0))
STALE = 0.3  # [s] after which a sample moves nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class LineTimes:
    """What one line did; times in milliseconds.

    Attributes:
        round_trip: Of the line.
        loss: Of its packets, in percent.
        jitter: Of its packets.
        age: Of the newest pose, as a loop of 100 Hz sees it: p50, p99, p99.9.
        stale: Share of the turns in which it was too old to move anything.
        pictures: How many came, a second.
        picture_age: Capture to whole at the operator's: p50, p99.
        gap: The longest between two pictures.
        clock_error: Of the operator's clock, as the robot's side has it.
    """

    round_trip: float
    loss: float
    jitter: float
    age: tuple[float, float, float]
    stale: float
    pictures: float
    picture_age: tuple[float, float]
    gap: float
    clock_error: float


def measure(
    round_trip: float, loss: float, jitter: float, *, seconds: float, nat: bool = False
) -> LineTimes:
    """Play one line.

    Args:
        round_trip: [ms].
        loss: [%].
        jitter: [ms].
        seconds: How long to measure.
        nat: Both sides behind a NAT, joined by a hub.

    Raises:
        BadInput: Where there are no namespaces, or no OpenVPN for the hub.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _pair(folder)
        place = ROBOT
        if nat:
            _make_vpn_keys(folder)
            place = f"vpn:{HUB}"
        said = _play(folder, round_trip, loss, jitter, seconds, place, nat=nat)
    ages = 1e3 * np.array(said["robot"]["ages"])
    pictures = np.array(said["operator"]["pictures"]).reshape(-1, 2)
    if not len(ages) or not len(pictures):
        raise BadInput("nothing came over the line: see what the sides said")
    seen = 1e3 * (pictures[:, 0] - pictures[:, 1])
    gaps = np.diff(pictures[:, 0])
    p50, p99, p999 = np.percentile(ages, [50, 99, 99.9])
    return LineTimes(
        round_trip=round_trip,
        loss=loss,
        jitter=jitter,
        age=(float(p50), float(p99), float(p999)),
        stale=float((ages > 1e3 * STALE).mean()),
        pictures=len(pictures) / seconds,
        picture_age=(float(np.percentile(seen, 50)), float(np.percentile(seen, 99))),
        gap=1e3 * float(gaps.max()),
        clock_error=1e3 * float(said["robot"]["offset"] or np.nan),
    )


def _play(
    folder: Path,
    round_trip: float,
    loss: float,
    jitter: float,
    seconds: float,
    place: str,
    *,
    nat: bool,
) -> dict[str, dict[str, Any]]:
    roles = {ROBOT: "robot", OPERATOR: "operator"} | ({HUB: "hub"} if nat else {})
    machines: dict[str, Machine] = {}
    share = 0.5 if nat else 1.0  # with a hub there are two lines, one after the other
    line = Line(
        machines,
        delay=0.5e-3 * round_trip * share,
        loss=0.01 * loss * share,
        jitter=1e-3 * jitter * share**0.5,
        behind_nat=frozenset({OPERATOR, ROBOT}) if nat else frozenset(),
    )
    try:
        for address, role in sorted(roles.items(), reverse=True):
            words = [role, str(folder), str(seconds), place]
            machines[address] = start_machine(address, ROLES, words)
        line.start()
        said = {}
        for address in (OPERATOR, ROBOT):
            out, _ = machines[address].program.communicate(timeout=seconds + 120.0)
            said[roles[address]] = json.loads(out or "{}")
        return said
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise BadInput(f"no machines: {error}") from error
    finally:
        line.end()
        for machine in machines.values():
            machine.program.kill()
            machine.program.wait(10.0)


def _pair(folder: Path) -> None:
    robot, operator = Identity(folder / "robot"), Identity(folder / "operator")
    robot.add_peer(operator.certificate)
    operator.add_peer(robot.certificate)


def _make_vpn_keys(folder: Path) -> None:
    if shutil.which("openvpn") is None or shutil.which("openssl") is None:
        raise BadInput("--nat needs openvpn and openssl: apt-get install openvpn")
    (folder / "ccd").mkdir()
    prints = {}
    for role, address in (("hub", ""), ("robot", "10.9.0.2"), ("operator", "10.9.0.3")):
        key, certificate = folder / f"{role}.key", folder / f"{role}.crt"
        words = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
        words += f" -nodes -days 2 -subj /CN={role} -keyout {key} -out {certificate}"
        subprocess.run(words.split(), check=True, capture_output=True)
        words = f"openssl x509 -fingerprint -sha256 -noout -in {certificate}"
        found = subprocess.run(
            words.split(), check=True, capture_output=True, text=True
        )
        prints[role] = found.stdout.partition("=")[2].strip()
        if address:
            push = f"ifconfig-push {address} 255.255.255.0\n"
            (folder / "ccd" / role).write_text(push)
    (folder / "hubprint").write_text(prints["hub"])
    (folder / "prints").write_text(f"{prints['robot']} {prints['operator']}")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("telexist bench network", None, __doc__)
    parser.formatter_class = raw
    add = parser.add_argument
    add("--round-trip", type=float, metavar="MS", help="one line alone")
    add("--loss", type=float, default=0.0, metavar="%%", help="of its packets")
    add("--jitter", type=float, default=0.0, metavar="MS", help="of its packets")
    add("--nat", action="store_true", help="both behind a NAT, by an OpenVPN hub")
    add("--duration", type=float, default=20.0, metavar="S", help="each; default: 20")
    add("--json", type=Path, metavar="FILE", help="keep what was measured")
    args = parser.parse_args(argv)
    alone = ((args.round_trip, args.loss, args.jitter),)
    cases = CASES if args.round_trip is None else alone
    try:
        found = [measure(*case, seconds=args.duration, nat=args.nat) for case in cases]
    except BadInput as error:
        raise UsageError(str(error)) from error
    print_table(
        "ages in ms" + (", both behind a NAT, by a hub" if args.nat else ""),
        (
            "line",
            "pose p50",
            "p99",
            "p99.9",
            "stale",
            "Hz",
            "picture p50",
            "p99",
            "gap",
        ),
        [
            (
                f"{t.round_trip:g} ms, {t.loss:g} %, {t.jitter:g} ms",
                *(f"{age:.0f}" for age in t.age),
                f"{100.0 * t.stale:.1f} %",
                f"{t.pictures:.1f}",
                *(f"{age:.0f}" for age in t.picture_age),
                f"{t.gap:.0f}",
            )
            for t in found
        ],
    )
    machine = describe_machine()
    lines = [asdict(times) for times in found]
    write_json(args.json, {"machine": machine, "nat": args.nat, "lines": lines})
    return 0
