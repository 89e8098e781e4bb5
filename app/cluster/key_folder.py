"""The folder of a cluster's secrets, which `gradroom cluster start` makes and every node has a copy of.

- `ray_token` lets a process take part in Ray, and so run code on every node.
- `authority.pem` and `authority.key` sign the certificates of nodes, with which Ray's connections are encrypted (TLS on both sides).
- `run_token` lets web send orders; web needs this one alone.
- `redis_password`, if the head's Redis has one, is written there by the operator, and not copied. Who changes what is in that Redis can run
  code on every node.

The folder of the node itself, which is not copied, has its certificate and key, made anew at each start.
"""

import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from app.serving.command_refused import CommandRefused

COPIED = ("ray_token", "run_token", "authority.pem", "authority.key")


class KeyFolder:
    """The folder, and the node's `own`, and the files in them."""

    def __init__(self, folder: Path, own: Path) -> None:
        self.folder, self.own = folder, own
        self.ray_token, self.run_token = folder / "ray_token", folder / "run_token"
        self.authority, self.authority_key = folder / "authority.pem", folder / "authority.key"
        self.redis_password = folder / "redis_password"
        self.certificate, self.key = own / "node.pem", own / "node.key"

    def make(self) -> None:
        """Make what is missing of a cluster's secrets."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for token in (self.ray_token, self.run_token):
            if not token.exists():
                write_secret(token, secrets.token_hex(32).encode())
        if not self.authority_key.exists():
            from app.cluster.certificates import make_authority

            key, certificate = make_authority()
            write_secret(self.authority_key, key)
            self.authority.write_bytes(certificate)

    def require(self) -> None:
        """Raise CommandRefused if a secret is missing, or others can read one."""
        for name in (*COPIED, *([self.redis_password.name] if self.redis_password.exists() else [])):
            file = self.folder / name
            if not file.is_file():
                raise CommandRefused(f"{file} is missing: copy the folder that `gradroom cluster start` made on the head.")
            if name != "authority.pem" and file.stat().st_mode & 0o077:
                raise CommandRefused(f"{file} can be read by others: chmod 600 {file}")

    def issue(self, addresses: Sequence[str]) -> None:
        """Make this node's certificate, for its IP addresses."""
        from app.cluster.certificates import issue

        self.own.mkdir(mode=0o700, parents=True, exist_ok=True)
        key, certificate = issue(self.authority_key.read_bytes(), self.authority.read_bytes(), addresses)
        write_secret(self.key, key)
        self.certificate.write_bytes(certificate)

    def environment(self) -> dict[str, str]:
        """Return the variables with which Ray's processes on this node use the secrets."""
        return {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(self.ray_token),
            "RAY_USE_TLS": "1",
            "RAY_TLS_SERVER_CERT": str(self.certificate),
            "RAY_TLS_SERVER_KEY": str(self.key),
            "RAY_TLS_CA_CERT": str(self.authority),
        }


def write_secret(file: Path, data: bytes) -> None:
    """Write a file that only its owner can read, also while it is written."""
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(data)
