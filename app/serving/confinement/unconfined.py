"""The option to run programs without a sandbox: its warning, and the check that refuses it.

It is an option of the command line and not a setting, because a forgotten setting would stay on.
"""

import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING

from app.serving.command_refused import CommandRefused

if TYPE_CHECKING:
    from app.settings import Settings

SWITCH = "--run-programs-without-a-sandbox"
OWN_NAMES = ("localhost", "127.0.0.1", "[::1]")
WARNING = "WITHOUT A SANDBOX: every program that is run here may do whatever you may do: read, change and send away all your files."


def refuse_in_public(listener: socket.socket, settings: "Settings") -> None:
    """Raise CommandRefused unless the server can be reached only from this machine."""
    address = listener.getsockname()[0]
    ways = [] if ip_address(address).is_loopback else [f"listen on {address}"]
    ways += [f"answer to the name {name}" for name in settings.allowed_hosts if name not in OWN_NAMES]
    ways += [f"trust the proxy {proxy}" for proxy in settings.trusted_proxies]
    if ways:
        raise CommandRefused(
            f"{SWITCH} is refused, because others could run programs too: the server would {' and '.join(ways)}. "
            "Serve on 127.0.0.1, ::1 or localhost, with no other name and no proxy, or leave it out."
        )
