"""Who is who: a certificate of one's own, and those of the sides one was paired with.

Each side makes its certificate at its first start. A connection is mutual TLS 1.3, and
each certificate is its own authority: who was not paired is nobody. The robot's side
knows operators, the operator's side knows robots, in folders of their own.
"""

from __future__ import annotations

import os
import secrets
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID
from telexist.retarget.errors import BadInput
from telexist.teleop import clock

__all__ = ["Identity", "certificate_der"]

YEARS = 10
DAY = 86400.0  # [s]
OWN, PEERS = "own.pem", "peers"
MOST_CERTIFICATE = 4000  # [bytes]


class Identity:
    """One side: its own certificate and its peers'.

    Attributes:
        certificate: Its own, PEM.
    """

    def __init__(self, folder: Path) -> None:
        """Take or make the certificate in a folder.

        Raises:
            BadInput: If the folder cannot be used.
        """
        self._folder, self._own = folder, folder / OWN
        try:
            (folder / PEERS).mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self._own.exists():
                _make(self._own)
            text = self._own.read_text()
            self.certificate = text[text.index("-----BEGIN CERTIFICATE") :]
            x509.load_pem_x509_certificate(self.certificate.encode())
        except (OSError, ValueError) as error:
            raise BadInput(
                f"{folder}: no certificates can be kept there ({error}): "
                "remove the folder, or correct who may write it"
            ) from error

    @property
    def peers(self) -> tuple[Path, ...]:
        """The certificates of those that this side was paired with."""
        return tuple(sorted((self._folder / PEERS).glob("*.crt")))

    def add_peer(self, certificate: str) -> None:
        """Believe a certificate from now on.

        Raises:
            BadInput: If it is none.
        """
        der = certificate_der(certificate)
        digest = hashes.Hash(hashes.SHA256())
        digest.update(der)
        name = digest.finalize().hex()[:24]
        pem = ssl.DER_cert_to_PEM_cert(der)
        _write(self._folder / PEERS / f"{name}.crt", pem.encode())

    def server_context(self) -> ssl.SSLContext:
        """Return TLS for the robot's side: who brings a certificate must be a peer."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.verify_mode = ssl.CERT_OPTIONAL
        return self._finished(context)

    def client_context(self, *, pairing: bool = False) -> ssl.SSLContext:
        """Return TLS for the operator's side.

        Args:
            pairing: To be paired: brings no certificate and believes any; the code
                then tells whether it was the right one.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        if not pairing:
            return self._finished(context)
        context.verify_mode = ssl.CERT_NONE
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        return context

    def _finished(self, context: ssl.SSLContext) -> ssl.SSLContext:
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(self._own)
        for peer in self.peers:
            context.load_verify_locations(peer)
        return context


def certificate_der(pem: str) -> bytes:
    """Return a certificate's bytes.

    Raises:
        BadInput: If the text is none.
    """
    try:
        if len(pem) > MOST_CERTIFICATE:
            raise ValueError("too long")
        return x509.load_pem_x509_certificate(pem.encode()).public_bytes(Encoding.DER)
    except ValueError as error:
        raise BadInput(f"no certificate: {error}") from error


def _make(path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    who = f"Telexist {secrets.token_hex(8)}"  # trusted ones are told apart by it
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, who)])
    begin = clock.wall_time() - DAY
    root = x509.BasicConstraints(ca=True, path_length=0)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(clock.date(begin))
        .not_valid_after(clock.date(begin + 365 * YEARS * DAY))
        .add_extension(root, critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    _write(path, secret + certificate.public_bytes(Encoding.PEM))


def _write(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all, that only its owner can read."""
    part = path.with_suffix(f".{os.getpid()}.part")
    mode = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with open(os.open(part, mode, 0o600), "wb") as file:
        file.write(data)
    part.replace(path)
