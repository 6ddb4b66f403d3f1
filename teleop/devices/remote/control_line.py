"""Lines of JSON over TLS: what two sides agree on, ask for and tell."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

__all__ = ["MOST_LINE", "VERSION", "ControlLine"]

VERSION = 2  # of what the sides tell each other
MOST_LINE = 16384  # [bytes]
MOST_WAITING = 65536  # [bytes] that the other side has not taken: it is as good as gone


class ControlLine:
    """One end of a connection; used by its event loop only."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Take both directions of a connection."""
        self._reader, self._writer = reader, writer

    def certificate(self) -> bytes | None:
        """Return the other side's certificate, DER; None if it brought none."""
        tls = self._writer.get_extra_info("ssl_object")
        return None if tls is None else tls.getpeercert(binary_form=True)

    def say(self, message: Mapping[str, Any]) -> None:
        """Send a message; never waits.

        Raises:
            ConnectionError: If the other side takes nothing any more.
        """
        if self._writer.transport.get_write_buffer_size() > MOST_WAITING:
            raise ConnectionError("it takes nothing any more")
        self._writer.write(json.dumps(message).encode() + b"\n")

    async def hear(self, patience: float) -> dict[str, Any]:
        """Return the next message.

        Raises:
            ConnectionError: If none comes in time, or it is none; with the reason.
        """
        try:
            async with asyncio.timeout(patience):
                line = await self._reader.readuntil(b"\n")
            message = json.loads(line)
        except TimeoutError as error:
            raise ConnectionError(f"silent for {patience:g} s") from error
        except asyncio.IncompleteReadError as error:
            raise ConnectionError("it has closed the connection") from error
        except (ValueError, asyncio.LimitOverrunError, RecursionError) as error:
            raise ConnectionError("it sends what is no message of ours") from error
        except OSError as error:
            raise ConnectionError(error.strerror or str(error)) from error
        if not isinstance(message, dict):
            raise ConnectionError("it sends what is no message of ours")
        return message

    def close(self) -> None:
        """Close the connection at once."""
        self._writer.transport.abort()
