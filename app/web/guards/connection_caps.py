"""The limits of connections, from the settings."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network

from app.buffered_bytes import ByteCaps
from app.settings import Settings
from app.web.guards.buckets import Rate

Network = IPv4Network | IPv6Network


@dataclass(frozen=True, kw_only=True)
class ConnectionCaps:
    """`patience_seconds` is how long a client may take to send a request's head, to send more of its body, or to take more of its answer.

    `learner_pace` is the pace of requests of a learner, `newcomers_pace` that of all clients at an address that have no cookie. `exempt`
    are the networks of proxies, whose connections are shared by many learners.
    """

    per_address: int
    overall: int
    patience_seconds: float
    body_bytes: int
    buffered: ByteCaps
    learner_pace: Rate
    newcomers_pace: Rate
    exempt: tuple[Network, ...] = ()


def caps_of(settings: Settings, overall: int) -> ConnectionCaps:
    """Return the limits. `overall` is the number of connections for which there are file descriptors."""
    return ConnectionCaps(
        per_address=settings.connections_per_address,
        overall=overall,
        patience_seconds=settings.patience_seconds,
        body_bytes=settings.archive_bytes,
        buffered=ByteCaps(
            learner=max(settings.held_bytes_per_learner, settings.request_bytes + settings.archive_bytes),
            address=max(settings.held_bytes_per_address, 4 * settings.archive_bytes),
            overall=max(settings.held_bytes, 8 * settings.archive_bytes),
        ),
        learner_pace=Rate(settings.pace_per_learner, settings.pace_burst_per_learner),
        newcomers_pace=Rate(settings.newcomer_pace_per_address, settings.newcomer_pace_burst_per_address),
        exempt=tuple(read_networks(settings.trusted_proxies)),
    )


def read_networks(names: Iterable[str]) -> Iterator[Network]:
    """Iterate over networks; an address is a network of one. Names that are neither are names of Unix sockets, and are skipped."""
    for name in names:
        with suppress(ValueError):
            yield ip_network("0.0.0.0/0" if name == "*" else name, strict=False)
