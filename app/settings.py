"""The settings of Gradroom, read once from environment variables with the prefix GRADROOM_, and then frozen.

docs/operations.md describes every setting for operators; a test compares the two.
"""

import os
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.machine import memory_bytes
from app.protocol.limits import MEBIBYTE, Limits
from app.setting_groups.client_settings import ClientSettings
from app.setting_groups.cluster_settings import ClusterSettings
from app.setting_groups.running_settings import RunningSettings
from app.setting_groups.serving_settings import PROJECT, RUN_UIDS, ServingSettings
from app.setting_groups.storing_settings import StoringSettings

__all__ = ["PREFIX", "PROJECT", "SECRETS", "Settings", "SettingsError", "find_unknown", "load_settings"]

PREFIX = "GRADROOM_"
SECRETS = ("operator_token", "cookie_secret", "database_url", "runner_token")
MOST_BEGUN = 64  # runs, unless the operator sets another number
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
# The server's own memory, measured on a busy one, in MiB: supervisor 30, web 200, runner 250, two zygotes while one replaces the other 350,
# layout 70, and 124 for the files that all of them map. A spare has pages of its own and copies of the zygote's.
_OWN_BYTES, _WEB_BYTES, _SPARE_BYTES = 1024 * MEBIBYTE, 200 * MEBIBYTE, 16 * MEBIBYTE


class SettingsError(Exception):
    """Settings in the environment are wrong; the message has one line for each."""


class Settings(ClientSettings, RunningSettings, StoringSettings, ServingSettings, ClusterSettings, BaseSettings):
    """The settings of an operator. Units are in the names."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid", env_ignore_empty=True)

    @cached_property
    def limits(self) -> Limits:
        """The limits of a run whose lesson asks for no others."""
        return Limits(**{name: getattr(self, name) for name in Limits.__struct_fields__})

    @property
    def concurrency_for_learner(self) -> int:
        """How many runs of one learner may have begun. The default leaves one place to others, unless there is only one."""
        return self.concurrency_per_learner or max(1, self.concurrency - 1)

    @cached_property
    def fitting_runs(self) -> int:
        """The number of runs of the usual size for which there is memory beside the server, even if each uses all that it is promised."""
        room = memory_bytes() - _OWN_BYTES - (self.web_processes - 1) * _WEB_BYTES - self.spares * _SPARE_BYTES
        return max(0, room // self.limits.promised_bytes)

    @property
    def reserved_runs(self) -> int:
        """The number of runs whose memory is reserved for newcomers.

        As much memory again is reserved for short runs and for addresses with few runs.
        """
        return min(self.concurrency, max(self.fitting_runs // 5, int(self.fitting_runs >= 3)))

    @property
    def begun(self) -> int:
        """The number of runs that may have begun with memory that is not reserved."""
        return min(self.begun_runs or MOST_BEGUN, self.fitting_runs - 2 * self.reserved_runs)

    @property
    def memory_shortage(self) -> str | None:
        """A message for the operator if memory does not suffice, else None."""
        if self.fitting_runs == 0:
            return (
                f"one run may use {self.limits.promised_bytes // MEBIBYTE} MiB, and less than that is left beside the server: runs go one "
                "at a time, and a large one may bring the machine to its limit. Lower GRADROOM_MEMORY_BYTES, or give the machine more"
            )
        if self.fitting_runs <= self.concurrency:
            return (
                f"of runs that may use {self.limits.promised_bytes // MEBIBYTE} MiB each, {self.fitting_runs} fit in memory beside the "
                "server itself: while that many runs go on, no other run can begin. Lower GRADROOM_MEMORY_BYTES, or give the machine more"
            )
        if self.begun_runs and self.begun_runs > self.begun:
            return f"only {self.begun} of the {self.begun_runs} runs of GRADROOM_BEGUN_RUNS fit in memory, so no more may have begun"
        return None

    @property
    def archive_bytes(self) -> int:
        """The maximum size of an imported zip.

        It is usually a quarter of what a learner may store, because zipped programs are at most a quarter of their size.
        """
        return max(self.request_bytes, min(self.kept_bytes_per_learner // 4, 16 * MEBIBYTE))

    @property
    def database(self) -> str:
        """The URL of the database."""
        return self.database_url or f"sqlite:///{self.state_folder / 'classroom.sqlite3'}"

    @property
    def web_names(self) -> list[str]:
        """The names of the web processes."""
        return ["web"] if self.web_processes == 1 else [f"web-{number}" for number in range(1, self.web_processes + 1)]

    @property
    def socket(self) -> Path:
        """The path of the runner's socket."""
        return self.runner_socket or self.state_folder / "runner" / "runner.sock"


def load_settings(**given: Any) -> Settings:
    """Return the settings; `given` ones take precedence over the environment. Raises SettingsError."""
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise SettingsError("\n".join(describe(problem) for problem in error.errors(include_url=False))) from None
    if wrong := list(find_contradictions(settings)):
        raise SettingsError("\n".join(wrong))
    return settings


def find_contradictions(settings: Settings) -> Iterator[str]:
    """Iterate over lines, each about settings that are right one by one and contradict each other, or a path that no socket can have."""
    first, last = settings.first_uid, settings.first_uid + RUN_UIDS - 1
    if first <= settings.web_uid <= last:
        yield f"{PREFIX}WEB_UID: {settings.web_uid} is one of the {RUN_UIDS} uids from {first} on, which runs get: expected another uid"
    if settings.runner_socket is not None and len(bytes(settings.runner_socket)) > SOCKET_PATH_BYTES:
        yield (
            f"{PREFIX}RUNNER_SOCKET: expected a path of at most {SOCKET_PATH_BYTES} bytes, because the kernel takes no longer one "
            f"(it has {len(bytes(settings.runner_socket))})"
        )
    if settings.runner and settings.runner_token is None:
        yield f"{PREFIX}RUNNER_TOKEN: expected the token of the runners of {PREFIX}RUNNER, because they accept nothing without it"
    for row in ASCENDING:
        numbers = [(name, getattr(settings, name)) for name in row if name in settings.model_fields_set]
        for (part, less), (whole, more) in pairwise(numbers):
            if less is not None and more is not None and less > more:
                yield f"{PREFIX}{part.upper()}: expected at most {more}, which is {PREFIX}{whole.upper()} (it is {less})"


def describe(problem: Any) -> str:
    """Return a line about a wrong setting. The value of a secret is not repeated; our own rules say what was given, if it is no secret."""
    name = str(problem["loc"][0])
    ours = problem["type"] == "value_error"
    given = "" if ours or name in SECRETS else f" (it is {problem['input']!r})"
    return f"{PREFIX}{name.upper()}: {problem['ctx']['error'] if ours else problem['msg']}{given}"


def find_unknown() -> list[str]:
    """Return the environment variables that have our prefix but are no settings. They are most likely misspelt."""
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    return sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)
