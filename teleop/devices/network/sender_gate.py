"""Whose messages a network device listens to: one sender at a time.

The rule: the first sender whose message is well formed is accepted, and everybody else
is a stranger from then on. Once the accepted sender has sent nothing well formed for
`SILENCE` seconds, the next well-formed message decides again (a program that was
started anew sends from another port). Where the user declares a sender, only that host
(and port, if given) is ever accepted.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from telexist.retarget.errors import BadInput

__all__ = ["SILENCE", "Address", "DeclaredSender", "SenderGate", "parse_sender"]

SILENCE = 2.0  # [s] after which another sender may take over

Address = tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredSender:
    """The only host that may send; any port of it if `port` is None."""

    host: str
    port: int | None = None

    def matches(self, address: Address) -> bool:
        """Whether a message's address is this sender's."""
        return address[0] == self.host and self.port in (None, address[1])


def parse_sender(text: str) -> DeclaredSender:
    """Read "192.168.0.7" or "192.168.0.7:9000".

    Raises:
        BadInput: If it is neither.
    """
    host, _, port = text.partition(":")
    try:
        ipaddress.IPv4Address(host)
        number = int(port) if port else None
    except ValueError:
        number = -1
    if number is not None and not 0 < number < 65536:
        raise BadInput(
            f"sender '{text}': give an address like 192.168.0.7 or with :port"
        )
    return DeclaredSender(host=host, port=number)


class SenderGate:
    """Decides whose messages are looked at."""

    def __init__(self, declared: DeclaredSender | None = None) -> None:
        """Take the only sender that may be accepted; None lets the first one win."""
        self._declared = declared
        self._accepted: Address | None = None
        self._heard = 0.0

    @property
    def accepted(self) -> Address | None:
        """The sender that is listened to, if there is one yet."""
        return self._accepted

    def admits(self, address: Address, stamp: float) -> bool:
        """Whether a message of this address may be looked at.

        Args:
            address: Host and port of the sender.
            stamp: When the message arrived [s].
        """
        if self._declared is not None and not self._declared.matches(address):
            return False
        if self._accepted is None or address == self._accepted:
            return True
        return stamp - self._heard > SILENCE

    def confirm(self, address: Address, stamp: float) -> bool:
        """Note a well-formed message; return whether its sender is a new one."""
        new = address != self._accepted
        self._accepted, self._heard = address, stamp
        return new

    def reset(self) -> None:
        """Forget the accepted sender."""
        self._accepted, self._heard = None, 0.0
