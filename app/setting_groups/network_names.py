"""The form of host names and of proxies' addresses in settings. What the server could never match is refused."""

import re
from ipaddress import AddressValueError, IPv6Address, ip_network

NAME = re.compile(r"(?=.{1,253}\.?$)[0-9a-z_]([0-9a-z_-]*[0-9a-z_])?(\.[0-9a-z_]([0-9a-z_-]*[0-9a-z_])?)*\.?", re.IGNORECASE)


def parse_host(name: str) -> str:
    """Return a host as browsers send it, without a port. Raises ValueError, whose message says what was expected."""
    if not name.isascii():
        raise ValueError(f"{name!r} was given; browsers send such a name as punycode: expected it to begin with xn--")
    if not NAME.fullmatch(name) and not is_bracketed(name):
        raise ValueError(f"{name!r} was given; expected a name or address without scheme and port, such as room.example or [::1]")
    return name


def is_bracketed(name: str) -> bool:
    """Return whether this is an IPv6 address as it is written in URLs."""
    if not (name.startswith("[") and name.endswith("]")):
        return False
    try:
        IPv6Address(name[1:-1])
    except AddressValueError:
        return False
    return True


def parse_proxy(name: str) -> str:
    """Return an address or a network. Raises ValueError, whose message says what was expected.

    A name that is no address would never match: then nobody's X-Forwarded-For is believed, and a class counts as one address.
    """
    try:
        ip_network(name)
    except ValueError as error:
        raise ValueError(f"{name!r} was given; expected an address or a network, such as 127.0.0.1 or 172.16.0.0/12 ({error})") from None
    return name
