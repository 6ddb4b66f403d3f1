"""Certificates for one's own network, made here: an authority once, a page's at start.

A browser that trusts the authority (`authority.crt`) trusts the page; others ask their
user once. The authority's key never leaves its folder, which is closed to others.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
import uuid
from collections.abc import Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from telexist.retarget.errors import BadInput
from telexist.teleop import clock

__all__ = ["Authority"]

YEARS = 10
PAGE_DAYS = 397  # more is refused by Apple's browsers
DAY = 86400.0  # [s]
KEY, CERTIFICATE = "authority.key", "authority.crt"
NAME = "Telexist on this machine"


class Authority:
    """Signs for the pages of one user.

    Attributes:
        certificate: The authority's, in PEM: what a browser may trust.
    """

    def __init__(self, folder: Path) -> None:
        """Take or make the authority in a folder.

        Raises:
            BadInput: If the folder cannot be used or what is there is no authority.
        """
        self._folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not (folder / CERTIFICATE).exists():
                self._make()
            self.certificate = (folder / CERTIFICATE).read_bytes()
            self._issuer = x509.load_pem_x509_certificate(self.certificate).subject
            key = load_pem_private_key((folder / KEY).read_bytes(), password=None)
        except (OSError, ValueError) as error:
            raise BadInput(
                f"{folder}: no certificates can be kept there ({error}): "
                "remove the folder, or correct who may write it"
            ) from error
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise BadInput(f"{folder / KEY}: not ours: remove the folder")
        self._key = key

    def server_context(self, names: Sequence[str]) -> ssl.SSLContext:
        """Return TLS for a server with these names and addresses."""
        key = ec.generate_private_key(ec.SECP256R1())
        builder = _builder("Telexist", self._issuer, key.public_key(), PAGE_DAYS)
        alternatives = x509.SubjectAlternativeName([_general_name(n) for n in names])
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        leaf = x509.BasicConstraints(ca=False, path_length=None)
        builder = builder.add_extension(alternatives, critical=False)
        builder = builder.add_extension(usage, critical=False)
        builder = builder.add_extension(leaf, critical=True)
        signed = builder.sign(self._key, hashes.SHA256())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.num_tickets = 0  # nobody resumes; clients with threads may trip on them
        place = self._folder / f"page-{uuid.uuid4().hex}.pem"
        try:
            _write(place, _pem(key) + signed.public_bytes(Encoding.PEM))
            context.load_cert_chain(place)
        finally:
            place.unlink(missing_ok=True)
        return context

    def _make(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        builder = _builder(NAME, _name(NAME), key.public_key(), 365 * YEARS)
        root = x509.BasicConstraints(ca=True, path_length=0)
        signed = builder.add_extension(root, critical=True).sign(key, hashes.SHA256())
        _write(self._folder / KEY, _pem(key))
        _write(self._folder / CERTIFICATE, signed.public_bytes(Encoding.PEM))


def _builder(
    subject: str, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: int
) -> x509.CertificateBuilder:
    begin = clock.wall_time() - DAY
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(clock.date(begin))
        .not_valid_after(clock.date(begin + DAY * days))
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read."""
    mode = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with open(os.open(path, mode, 0o600), "wb") as file:
        file.write(data)
