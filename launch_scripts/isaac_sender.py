r"""Send the bodies that NVIDIA IsaacTeleop sees to Telexist.

This one file is all that the computer with IsaacTeleop needs, with its own Python, in
which `isaacteleop` is installed and whose CloudXR runtime runs:

  source ~/.cloudxr/run/cloudxr.env
  python isaac_sender.py --to 192.168.0.5

On the computer with the robot, allow that one computer to send:

  telexist teleoperate --source "isaac:0.0.0.0:9764?sender=192.168.0.7"

It sends the 24 joints of IsaacTeleop's FullBodyTracker as the preset "Isaac Teleop" of
Xsens MVN does: a header of 36 bytes and a FlatBuffer FullBodyPose. A frame without a
body is not sent, so the robot holds.
"""

from __future__ import annotations

import argparse
import contextlib
import socket
import struct
import sys
import time
from collections.abc import Sequence
from typing import Any

__all__ = ["datagram", "main", "send_for_ever"]

JOINTS = 24
HEADER = struct.Struct("<4sHHQqqI")
JOINT = struct.Struct("<3f4fB3x")
RATE = 90.0  # [Hz]


def main(argv: Sequence[str] | None = None) -> int:
    """Open a session of IsaacTeleop and send until interrupted."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--to", required=True, metavar="HOST", help="who is sent to")
    parser.add_argument("--port", type=int, default=9764, help="UDP port (9764)")
    words = parser.parse_args(argv)
    try:
        from isaacteleop import deviceio, oxr
    except ImportError as error:
        sys.exit(f"cannot import isaacteleop: {error}: pip install isaacteleop")
    tracker = deviceio.FullBodyTracker()
    needed = deviceio.DeviceIOSession.get_required_extensions([tracker])
    with (
        oxr.OpenXRSession("TelexistSender", needed) as openxr,
        deviceio.DeviceIOSession.run([tracker], openxr.get_handles()) as session,
    ):
        print(f"sending to {words.to}:{words.port}; Ctrl-C ends it")
        with contextlib.suppress(KeyboardInterrupt):
            send_for_ever(session, tracker, (words.to, words.port))
    return 0


def send_for_ever(session: Any, tracker: Any, address: tuple[str, int]) -> None:
    """Send every body that the session sees, at most `RATE` of them a second."""
    number = 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        while True:
            session.update()
            body = tracker.get_body_pose(session)
            body = getattr(body, "data", body)  # older releases wrap it
            if body is not None:
                sender.sendto(datagram(body, number, time.monotonic_ns()), address)
                number += 1
            time.sleep(1.0 / RATE)


def datagram(body: Any, number: int, now_ns: int) -> bytes:
    """Return the datagram of a `FullBodyPose` of IsaacTeleop."""
    joints = b""
    for k in range(JOINTS):
        joint = body.joints.joints(k)
        p, q = joint.pose.position, joint.pose.orientation
        joints += JOINT.pack(p.x, p.y, p.z, q.x, q.y, q.z, q.w, joint.is_valid)
    size = 4 + len(joints)
    vtable = struct.pack("<4H", 8, size, 4, 0)
    payload = struct.pack("<I", 12) + vtable + struct.pack("<i", 8) + joints
    sampled = now_ns // 1_000_000 * 1_000_000
    return HEADER.pack(b"XTLP", 1, 0, number, sampled, now_ns, len(payload)) + payload


if __name__ == "__main__":
    sys.exit(main())
