"""Which version of YARP wrote a message, by its bytes alone.

The versions differ in the codes of numbers with a point. What was written by one is no
message of the other: a number has another length there, so the rest does not fit.
"""

from __future__ import annotations

from telexist.retarget.errors import BadMessage
from telexist.robots.yarp.wire.bottle import decode_bottle
from telexist.robots.yarp.wire.dialect import YARP_3, YARP_4, Dialect
from telexist.robots.yarp.wire.values import Bottle

__all__ = ["decode_either"]


def decode_either(payload: bytes) -> tuple[Bottle, Dialect]:
    """Return the values of a message and the version that wrote it.

    A message without such numbers is alike in both, and counts as version 3.

    Raises:
        BadMessage: If neither version can have written it, or both could have.
    """
    found: list[tuple[Bottle, Dialect]] = []
    problem: BadMessage | None = None
    for dialect in (YARP_3, YARP_4):
        try:
            found.append((decode_bottle(payload, dialect), dialect))
        except BadMessage as error:
            problem = problem or error
    if not found:
        raise problem or BadMessage("no message of YARP")
    if len(found) == 2 and found[0][0] != found[1][0]:
        raise BadMessage("a message that YARP 3 and YARP 4 read differently")
    return found[0]
