"""The operator's side asks to be paired."""

from __future__ import annotations

import asyncio
import ssl

from telexist.retarget.errors import DeviceLost
from telexist.teleop.devices.remote.control_line import MOST_LINE, ControlLine
from telexist.teleop.devices.remote.identity import Identity, certificate_der
from telexist.teleop.devices.remote.pairing import pairing_proof

__all__ = ["pair_with"]

PATIENCE = 6.0  # [s] for a connection


def pair_with(identity: Identity, place: tuple[str, int], code: str) -> None:
    """Make a robot's side and this one know each other.

    Raises:
        DeviceLost: If it is not there, or the code is not its own.
    """
    try:
        asyncio.run(_ask_to_pair(identity, place, code))
    except (ConnectionError, OSError, TimeoutError) as error:
        host, port = place
        text = str(error) or "no answer"
        raise DeviceLost(
            f"robot's side at {host}:{port}: not paired: {text}"
        ) from error


async def _ask_to_pair(identity: Identity, place: tuple[str, int], code: str) -> None:
    tls = identity.client_context(pairing=True)
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(*place, ssl=tls, limit=MOST_LINE)
    line = ControlLine(reader, writer)
    try:
        robot = line.certificate()
        if robot is None:
            raise ConnectionError("it shows no certificate")
        operator = certificate_der(identity.certificate)
        proof = pairing_proof(code, "operator", robot, operator)
        line.say({"certificate": identity.certificate, "proof": proof})
        answer = await line.hear(PATIENCE)
        if answer.get("proof") != pairing_proof(code, "robot", robot, operator):
            raise ConnectionError(
                str(answer.get("refused", "it does not know the code"))
            )
        identity.add_peer(ssl.DER_cert_to_PEM_cert(robot))
    finally:
        line.close()
