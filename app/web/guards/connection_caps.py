"""What connections may do, from the settings."""

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
    """`patience_seconds`: for a request's head, and for each sign of life in its body or of the taking of its answer.

    `learner_pace` and `newcomers_pace`: of requests, of a learner and of all at one address who have no cookie.
    `exempt` are the networks of proxies, whose connections are many learners'.
    """

    per_address: int
    overall: int
    patience_seconds: float
    body_bytes: int
    held: ByteCaps
    learner_pace: Rate
    newcomers_pace: Rate
    exempt: tuple[Network, ...] = ()


def caps_of(settings: Settings, overall: int) -> ConnectionCaps:
    """What the operator allows; `overall` is how many connections there are descriptors for."""
    return ConnectionCaps(
        per_address=settings.connections_per_address,
        overall=overall,
        patience_seconds=settings.patience_seconds,
        body_bytes=settings.archive_bytes,
        held=ByteCaps(
            learner=max(settings.held_bytes_per_learner, settings.request_bytes + settings.archive_bytes),
            address=max(settings.held_bytes_per_address, 4 * settings.archive_bytes),
            overall=max(settings.held_bytes, 8 * settings.archive_bytes),
        ),
        learner_pace=Rate(settings.pace_per_learner, settings.pace_burst_per_learner),
        newcomers_pace=Rate(settings.newcomer_pace_per_address, settings.newcomer_pace_burst_per_address),
        exempt=tuple(read_networks(settings.trusted_proxies)),
    )


def read_networks(names: Iterable[str]) -> Iterator[Network]:
    """Networks, and addresses as networks of one. What is neither, a name of a Unix socket, has no connections here."""
    for name in names:
        with suppress(ValueError):
            yield ip_network("0.0.0.0/0" if name == "*" else name, strict=False)
