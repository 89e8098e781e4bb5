"""Settings that are right one by one, and cannot be right together."""

from collections.abc import Iterator
from itertools import pairwise

from app.setting_groups.cluster_settings import ClusterSettings
from app.setting_groups.serving_settings import RUN_UIDS, ServingSettings

SOCKET_PATH_BYTES = 107  # unix(7)
# of each row, none may be more than the next. The numbers that an operator did not set follow from no other, so they are not compared
ASCENDING = (
    ("queue_runs_per_learner", "queue_runs_per_address", "queue_runs"),
    ("concurrency_per_learner", "concurrency"),
    ("rate_per_learner", "rate_per_address"),
    ("burst_per_learner", "burst_per_address"),
    ("kept_bytes_per_learner", "store_bytes"),
    ("held_bytes_per_learner", "held_bytes_per_address", "held_bytes"),
)


def find_contradictions(settings: ServingSettings, prefix: str) -> Iterator[str]:
    """Iterate over lines, each about settings that contradict each other, or about a path that no socket can have."""
    first, last = settings.first_uid, settings.first_uid + RUN_UIDS - 1
    if first <= settings.web_uid <= last:
        yield f"{prefix}WEB_UID: {settings.web_uid} is one of the {RUN_UIDS} uids from {first} on, which runs get: expected another uid"
    if settings.runner_socket is not None and len(bytes(settings.runner_socket)) > SOCKET_PATH_BYTES:
        yield (
            f"{prefix}RUNNER_SOCKET: expected a path of at most {SOCKET_PATH_BYTES} bytes, because the kernel takes no longer one "
            f"(it has {len(bytes(settings.runner_socket))})"
        )
    if isinstance(settings, ClusterSettings) and settings.runner and settings.runner_token is None:
        yield f"{prefix}RUNNER_TOKEN: expected the token of the runners of {prefix}RUNNER, because they accept nothing without it"
    for row in ASCENDING:
        numbers = [(name, getattr(settings, name)) for name in row if name in settings.model_fields_set]
        for (part, less), (whole, more) in pairwise(numbers):
            if less is not None and more is not None and less > more:
                yield f"{prefix}{part.upper()}: expected at most {more}, which is {prefix}{whole.upper()} (it is {less})"
