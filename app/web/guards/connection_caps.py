"""The limits of connections, from the settings."""

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network

from app.buffered_bytes import ByteCaps
from app.settings import Settings
from app.web.guards.buckets import Rate

Network = IPv4Network | IPv6Network


@dataclass(frozen=True, kw_only=True)
class ConnectionCaps:
    """The limits of connections.

    `patience_seconds` is how long a client may take to send a request's head, to send more of its body, or to read more of its answer.
    `learner_pace` limits the requests of one learner, `newcomers_pace` those of all clients without a cookie at one address. `exempt` are
    the networks of proxies. Many learners share a proxy's address, so `per_address` does not apply to it.
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
    """Return the limits that the settings give. `overall` is the number of connections for which there are file descriptors."""
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
        exempt=tuple(map(ip_network, settings.trusted_proxies)),
    )
