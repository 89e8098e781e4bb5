"""Keys and certificates, made with the library `cryptography`, which comes with the extra `ray`."""

import ipaddress
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

AUTHORITY_DAYS, NODE_DAYS = 3650, 397
NAME = "gradroom cluster"


def make_authority() -> tuple[bytes, bytes]:
    """Return the key and the certificate of a new authority, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    builder = describe(NAME, key, AUTHORITY_DAYS).issuer_name(name_of(NAME))
    certificate = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True).sign(key, hashes.SHA256())
    return dump_key(key), certificate.public_bytes(serialization.Encoding.PEM)


def issue(authority_key: bytes, authority: bytes, addresses: Sequence[str]) -> tuple[bytes, bytes]:
    """Return a new key and a certificate for these IP addresses, as PEM."""
    signer = serialization.load_pem_private_key(authority_key, None)
    if not isinstance(signer, ec.EllipticCurvePrivateKey):
        raise ValueError("the authority's key is none of ours")
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.load_pem_x509_certificate(authority).subject
    names = [x509.DNSName("localhost"), *(x509.IPAddress(ipaddress.ip_address(one)) for one in sorted({"127.0.0.1", *addresses}))]
    builder = describe(f"gradroom node {addresses[0]}", key, NODE_DAYS).issuer_name(issuer)
    certificate = builder.add_extension(x509.SubjectAlternativeName(names), critical=False).sign(signer, hashes.SHA256())
    return dump_key(key), certificate.public_bytes(serialization.Encoding.PEM)


def describe(name: str, key: ec.EllipticCurvePrivateKey, days: int) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name_of(name)).public_key(key.public_key())
    return (
        builder.serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=days))
    )


def name_of(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def dump_key(key: ec.EllipticCurvePrivateKey) -> bytes:
    dumped: bytes = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return dumped
