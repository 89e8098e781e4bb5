"""Finds the owner of a request before the request is parsed: by its cookie, or else by the address from which it comes."""

import re
from collections.abc import Callable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address

from app.protocol.owner import Owner
from app.web.guards.sessions import COOKIE, network_of

COOKIES = re.compile(rb"\r\ncookie:(?:[^\r\n]*[ ;])?%s=([\w.-]{1,200})" % COOKIE.encode(), re.IGNORECASE)
FORWARDED = re.compile(rb"\r\nx-forwarded-for:([^\r\n]{1,2000})", re.IGNORECASE)


class RequestOwners:
    """Finds owners. `proxies` are the networks of trusted proxies. `read_learner` returns the learner that a cookie names, or None."""

    def __init__(self, proxies: Sequence[IPv4Network | IPv6Network], read_learner: Callable[[str], str | None]) -> None:
        self._proxies, self._read_learner = proxies, read_learner

    def is_proxy(self, host: str) -> bool:
        """Return whether this is the address of a trusted proxy."""
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._proxies)

    def owner_of(self, host: str, head: bytes) -> Owner:
        """Return the owner of a request. `host` is the address that sends it, and `head` its first bytes."""
        if self._proxies and self.is_proxy(host) and (forwarded := FORWARDED.search(head)):
            hosts = [one.strip() for one in forwarded[1].decode("latin-1").split(",")]
            host = next((one for one in reversed(hosts) if not self.is_proxy(one)), hosts[0])
        address = network_of(host) if host else ""
        cookie = COOKIES.search(head)
        return Owner(address, (self._read_learner(cookie[1].decode()) if cookie else None) or address)
