r"""Send a Cyberith Virtualizer's samples from its Windows computer to Telexist.

This one file is all that the Windows computer needs, with Python 3.9 or newer and
the CybSDK.dll of Cyberith's SDK in the same folder (64-bit Python, 64-bit library):

  python cyberith_sender.py --to 192.168.0.5 --dll C:\CybSDK\CybSDK.dll

On the computer with the robot, allow that one computer to send:

  telexist teleoperate --walk-input "cyberith:0.0.0.0:9770?sender=192.168.0.7"

Stand straight in the ring, facing ahead, when you start it: it is reset then.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import socket
import sys
import threading
from collections.abc import Sequence
from typing import Any

__all__ = ["datagram", "find_device", "main", "send_for_ever"]

_FIELDS = {
    "orientation": "GetPlayerOrientation",
    "speed": "GetMovementSpeed",
    "direction": "GetMovementDirection",
    "height_cm": "GetPlayerHeight",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Find the Virtualizer and send until interrupted."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--to", required=True, metavar="HOST", help="who is sent to")
    parser.add_argument("--port", type=int, default=9770, help="UDP port (9770)")
    parser.add_argument("--dll", default="CybSDK.dll", help="Cyberith's library")
    words = parser.parse_args(argv)
    try:
        library = ctypes.CDLL(words.dll)
    except OSError as error:
        sys.exit(f"cannot load {words.dll}: {error}: give --dll PATH")
    device = find_device(library)
    if not device:
        sys.exit("no Virtualizer found: switch it on and plug it in")
    print(f"sending to {words.to}:{words.port}; Ctrl-C ends it")
    with contextlib.suppress(KeyboardInterrupt):
        send_for_ever(library, device, (words.to, words.port), threading.Event())
    _function(library, "Close", ctypes.c_bool)(device)
    return 0


def find_device(library: Any) -> int | None:
    """Open the first Virtualizer, reset it and return its handle; None if none."""
    new = hasattr(library, "CybSDK_Virt_FindDevice")  # SDK since 2019
    finder = getattr(library, f"CybSDK_Virt{'' if new else 'Device'}_FindDevice")
    finder.restype = ctypes.c_void_p
    device = finder()
    if not device or not _function(library, "Open", ctypes.c_bool)(device):
        return None
    for name in ("ResetPlayerOrientation", "ResetPlayerHeight"):
        if hasattr(library, f"CybSDK_VirtDevice_{name}"):
            _function(library, name, None)(device)
    return int(device)


def datagram(library: Any, device: int, sequence: int) -> bytes:
    """Read one sample; NaN becomes null, which the receiver refuses."""
    message: dict[str, object] = {"virtualizer": 1, "sequence": sequence}
    for key, name in _FIELDS.items():
        value = float(_function(library, name, ctypes.c_float)(device))
        message[key] = value if abs(value) < 1e9 else None
    return json.dumps(message).encode()


def send_for_ever(
    library: Any, device: int, address: tuple[str, int], stop: threading.Event
) -> None:
    """Send a sample every 10 ms until told to stop."""
    sequence = 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        while not stop.wait(0.01):
            sender.sendto(datagram(library, device, sequence), address)
            sequence += 1


def _function(library: Any, name: str, result: Any) -> Any:
    function = getattr(library, f"CybSDK_VirtDevice_{name}")
    function.argtypes, function.restype = [ctypes.c_void_p], result
    return function


if __name__ == "__main__":
    sys.exit(main())
