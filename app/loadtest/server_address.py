"""The server under test. It is on this machine, or its operator agrees to the test.

The server's name is looked up once, and every address that it has is checked. The load test then connects only to the address that
answered. Neither a redirect nor a changed name can lead it to another server.
"""

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

PORTS = {"http": 80, "https": 443}
ANSWER_SECONDS = 5.0

Lookup = Callable[..., Sequence[tuple[Any, Any, Any, Any, tuple[Any, ...]]]]


class AddressRefused(Exception):
    """The load test does not use this address. The message says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class ServerAddress:
    """A server. `name` is from its URL, and `ip` is the network address for connections. `own` is true if that is this machine's."""

    scheme: str
    name: str
    port: int
    ip: str
    own: bool

    @property
    def origin(self) -> str:
        name = f"[{self.name}]" if ":" in self.name else self.name
        return f"{self.scheme}://{name}" + ("" if self.port == PORTS[self.scheme] else f":{self.port}")


def find_server(url: str, *, operated: bool, lookup: Lookup = socket.getaddrinfo) -> ServerAddress:
    """Return the server at `url`; the URL's path is ignored. Raises AddressRefused.

    If `operated` is true, the user says that they operate the server. Otherwise all its addresses must be this machine's own.
    """
    scheme, name, port = split_url(url)
    try:
        found = [entry[4] for entry in lookup(name, port, type=socket.SOCK_STREAM)]
    except OSError as error:
        raise AddressRefused(f"{name} is not known to this machine: {error.strerror or error}") from None
    foreign = [str(address[0]) for address in found if not is_own(address)]
    if foreign and not operated:
        raise AddressRefused(
            f"{name} leads to {foreign[0]}, which is not this machine. A rehearsal is a load: if the server is yours, or its operator "
            "agreed, say so with --i-operate-this-server."
        )
    return ServerAddress(scheme=scheme, name=name, port=port, ip=choose_answering(found, url), own=not foreign)


def split_url(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port. Raises AddressRefused."""
    try:
        parts = urlsplit(url)
        scheme, name, port = parts.scheme, parts.hostname, parts.port
    except ValueError:
        scheme, name, port = "", None, None
    if scheme not in PORTS or not name or parts.username is not None:
        raise AddressRefused(
            f"{url!r} is not the address of a server; one looks like http://127.0.0.1:8000 or https://gradroom.example.org"
        )
    return scheme, name, PORTS[scheme] if port is None else port


def is_own(address: tuple[Any, ...]) -> bool:
    """Return whether a socket address is this machine's own.

    The address is own if the kernel would use it as the sender of a packet to itself. Connecting a datagram socket asks the kernel, and
    sends nothing. Binding to the address proves nothing: with net.ipv4.ip_nonlocal_bind it succeeds for foreign addresses too.
    """
    there = ip_address(str(address[0]).partition("%")[0])
    if there.is_loopback:
        return True
    if there.is_multicast or there.is_unspecified:
        return False
    with socket.socket(socket.AF_INET6 if there.version == 6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(address)
        except OSError:
            return False
        return ip_address(str(probe.getsockname()[0]).partition("%")[0]) == there


def choose_answering(addresses: Sequence[tuple[Any, ...]], url: str) -> str:
    """Return the first address that accepts a connection, as browsers do. Raises AddressRefused."""
    for address in addresses:
        try:
            socket.create_connection(address[:2], ANSWER_SECONDS).close()
        except OSError:
            continue
        return str(address[0])
    raise AddressRefused(f"Nothing answers at {url}. Start the server first (make serve), or give the address that it printed.")
