"""What listens on this machine for others, and how it answers those who have no token and no certificate.

`python -m tests.cluster.listeners PID…` prints it for the processes below these, for instance below `gradroom cluster start`.
"""

import http.client
import os
import re
import socket
import ssl
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.bench.processes import command, descendants

LISTENS = "0A"  # the state in /proc/net/tcp
ANSWER_SECONDS = 3.0
LOOPBACK = ("127.", "::1")


@dataclass(frozen=True, order=True)
class Listener:
    """A listening TCP socket. `address`: 0.0.0.0 or :: for all interfaces."""

    port: int
    address: str
    pid: int
    program: str

    @property
    def reachable(self) -> bool:
        """Whether other machines can reach it."""
        return not self.address.startswith(LOOPBACK)

    @property
    def near(self) -> str:
        """An address by which this machine reaches it."""
        return {"0.0.0.0": "127.0.0.1", "::": "127.0.0.1"}.get(self.address, self.address)


def find_listeners(pids: Iterable[int]) -> list[Listener]:
    """Return the listening TCP sockets of these processes, which are in one network."""
    owners = {inode: pid for pid in pids for inode in inodes_of(pid)}
    found: set[Listener] = set()
    for pid in set(owners.values()):
        for name in ("tcp", "tcp6"):
            for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == LISTENS and (owner := owners.get(fields[9])):
                    address, port = fields[1].split(":")
                    found.add(Listener(int(port, 16), address_of(address), owner, program_of(owner)))
        break  # one file has the sockets of the whole network
    return sorted(found)


def inodes_of(pid: int) -> list[str]:
    links = []
    with suppress(OSError):
        for descriptor in os.listdir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                links.append(os.readlink(f"/proc/{pid}/fd/{descriptor}"))
    return [link.removeprefix("socket:[").removesuffix("]") for link in links if link.startswith("socket:[")]


def address_of(hexadecimal: str) -> str:
    data = b"".join(bytes.fromhex(hexadecimal[at : at + 8])[::-1] for at in range(0, len(hexadecimal), 8))
    if len(data) == 16 and data.startswith(bytes(10) + b"\xff\xff"):
        data = data[12:]
    return socket.inet_ntop(socket.AF_INET if len(data) == 4 else socket.AF_INET6, data)


def program_of(pid: int) -> str:
    """Return a short name of what a process is."""
    words = command(pid)
    if found := re.match(r"ray::\S+", words):
        return found[0]
    if found := re.search(r"([\w.-]+/)?([\w-]+\.py)\b", words):
        return found[0]
    return Path(words.split(" ")[0]).name


def ask_as_a_stranger(listener: Listener, path: str = "/") -> str:
    """Return how it answers without token and certificate, for instance with a status of HTTP or `wants a certificate`.

    A server of gRPC that takes anybody begins with its settings. One that wants a certificate may also just end the connection.
    """
    with suppress(OSError, http.client.HTTPException):
        connection = http.client.HTTPConnection(listener.near, listener.port, timeout=ANSWER_SECONDS)
        connection.request("GET", path)
        return f"HTTP {connection.getresponse().status}"
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    try:
        with socket.create_connection((listener.near, listener.port), ANSWER_SECONDS) as plain, context.wrap_socket(plain) as encrypted:
            encrypted.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5))
            return "answers over TLS to everybody" if encrypted.recv(1) else "ends TLS that has no certificate"
    except ssl.SSLError as error:
        return "wants a certificate" if "CERTIFICATE_REQUIRED" in str(error) else f"TLS: {error.reason}"
    except OSError as error:
        return f"answers nothing ({type(error).__name__})"


def main() -> None:
    pids = [pid for root in map(int, sys.argv[1:]) for pid in (root, *descendants(root))]
    for one in find_listeners(pids):
        print(f"{one.address:>15} {one.port:>6}  {one.program:<40} {ask_as_a_stranger(one)}")


if __name__ == "__main__":
    main()
