"""Two sides that meet for the first time, by a code that one shows and the other types.

Each proves that it knows the code and sees the same two certificates, so nobody in
between can be one of them. The code has 50 bits, is stretched, dies after some minutes,
after three wrong proofs, and after use: nobody guesses it, on the line or at home.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

__all__ = ["PairingCode", "pairing_proof", "tidy_code"]

LIFE = 600.0  # [s]
TRIES = 3
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # nothing that looks like another
LENGTH = 10
COST = 2**14  # of the stretching: 16 MB, some 50 ms


class PairingCode:
    """A code while it is worth something.

    Attributes:
        text: To be shown: two groups of five.
    """

    def __init__(self, now: float) -> None:
        """Make a new one at a time [s]."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        self.text = f"{code[:5]}-{code[5:]}"
        self._code, self._end, self._left = code, now + LIFE, TRIES

    def valid(self, now: float) -> bool:
        """Return whether it may still be used."""
        return self._left > 0 and now < self._end

    def accepts(self, proof: str, robot: bytes, operator: bytes, now: float) -> bool:
        """Return whether a proof is right; wrong ones use it up, and a right one too.

        Args:
            proof: Of the operator's side.
            robot: Certificate of the robot's side, DER.
            operator: That of the operator's side.
            now: Time [s].
        """
        if not self.valid(now):
            return False
        self._left -= 1
        wanted = pairing_proof(self._code, "operator", robot, operator)
        if not hmac.compare_digest(proof.encode(), wanted.encode()):
            return False
        self._left = 0
        return True


def tidy_code(text: str) -> str:
    """Return a code as it was made, however it was typed."""
    return "".join(letter for letter in text.upper() if letter in ALPHABET)


def pairing_proof(code: str, side: str, robot: bytes, operator: bytes) -> str:
    """Return what a side shows to prove that it knows the code.

    Args:
        code: The code.
        side: "robot" or "operator".
        robot: Certificate of the robot's side, DER.
        operator: That of the operator's side.
    """
    both = hashlib.sha256(robot).digest() + hashlib.sha256(operator).digest()
    key = hashlib.scrypt(tidy_code(code).encode(), salt=both, n=COST, r=8, p=1)
    return base64.b16encode(hmac.digest(key, side.encode(), "sha256")).decode()
