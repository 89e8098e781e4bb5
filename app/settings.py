"""The settings of Gradroom, read once from environment variables with the prefix GRADROOM_, and then frozen.

docs/operations.md describes every setting for operators; a test compares the two.
"""

import json
import os
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.machine import count_cores, memory_bytes
from app.protocol.limits import MEBIBYTE, Limits

PREFIX = "GRADROOM_"
PROJECT = Path(__file__).resolve().parent.parent
MOST_BEGUN = 64  # runs, unless the operator sets another number
# The server's own memory, measured on a busy one, in MiB: supervisor 30, web 200, runner 250, two zygotes while one replaces the other 350,
# layout 70, and 124 for the files that all of them map. A spare has pages of its own and copies of the zygote's.
_OWN_BYTES, _SPARE_BYTES = 1024 * MEBIBYTE, 16 * MEBIBYTE
Names = Annotated[tuple[str, ...], NoDecode]  # in the environment separated by commas
Folders = Annotated[tuple[Path, ...], NoDecode]
# the variables by which libraries choose among the processor's instructions
ProcessorVariable = Literal[
    "ATEN_CPU_CAPABILITY",
    "GLIBC_TUNABLES",
    "MKL_CBWR",
    "NPY_DISABLE_CPU_FEATURES",
    "ONEDNN_MAX_CPU_ISA",
    "OPENBLAS_CORETYPE",
    "XLA_FLAGS",
]
Processor = Annotated[dict[ProcessorVariable, str], NoDecode]  # in the environment as JSON


class SettingsError(Exception):
    """Settings in the environment are wrong; the message has one line for each."""


class Settings(BaseSettings):
    """The settings of an operator. Units are in the names."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid", env_ignore_empty=True)

    allowed_hosts: Names = Field(
        default=("localhost", "127.0.0.1", "[::1]"),
        description="Host names, without ports, by which browsers may reach the server; the address that it listens on is always one.",
    )
    address: str = Field(
        default="http://localhost:8000",
        pattern=r"^https?://[^/?#\s]+/?$",
        description="The server's address as browsers know it, for the links that `gradroom instructor` prints.",
    )
    trusted_proxies: Names = Field(
        default=(), description="Addresses or networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed."
    )
    state_folder: Path = Field(
        default=Path("var"),
        description="Folder, created with mode 0700, for the database, the cookie secret and the runner's socket; "
        "root gives it to `GRADROOM_WEB_UID`.",
    )
    runner_socket: Path | None = Field(
        default=None,
        description="The runner's Unix socket; `serve` makes its own for each start; otherwise runner/runner.sock in the state folder.",
    )
    lessons_folder: Path = Field(default=PROJECT / "lessons", description="Folder of the course, with its course.toml.")
    course_folders: Folders = Field(
        default=(), description="Folders of further courses, each with its course.toml; their chapters come after the others, numbered on."
    )
    static_folder: Path = Field(default=PROJECT / "static" / "build", description="Folder of the built front-end assets.")

    operator_token: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Bearer token of operators, for what docs/people.md lists; unset: only people of the role operator can do that.",
    )
    cookie_secret: SecretStr | None = Field(
        default=None, min_length=16, description="Key that signs cookies; unset: created once and stored in the state folder."
    )
    database_url: str | None = Field(
        default=None,
        description="The database: sqlite:////FILE or postgresql://USER:PASSWORD@HOST/NAME; unset: SQLite in the state folder.",
    )
    solutions: str = Field(
        default="after-try",
        pattern=r"^(always|after-try|after-[1-9]\d{0,2}-tries|never)$",
        description="When a learner may see the solution of an exercise: `always`, `after-try`, `after-N-tries` (such as `after-3-tries`), "
        "or `never`.",
    )
    retention_days: int = Field(
        default=400, ge=0, le=36_500, description="Days after a learner's last visit until all their data are deleted; 0: never."
    )
    kept_bytes_per_learner: int = Field(
        default=64 * MEBIBYTE,
        ge=MEBIBYTE,
        le=16_384 * MEBIBYTE,
        description="Texts stored for one learner: drafts, their versions, submissions. Beyond that, nothing more is stored. "
        "The zip of an import may have a quarter of it, and at most 16 MiB.",
    )
    store_bytes: int | None = Field(
        default=None,
        ge=4 * MEBIBYTE,
        description="Size of the database. Beyond that, nothing more is stored; runs are not affected. Unset: half of the sum of its size "
        "and the free disk space when web starts; for PostgreSQL no limit.",
    )
    added_bytes_per_address: int = Field(
        default=256 * MEBIBYTE,
        ge=MEBIBYTE,
        le=1_048_576 * MEBIBYTE,
        description="What the learners of one network address (a classroom) may together add to the database at once, and again within "
        "each hour. Beyond that, nothing more of them is stored until later.",
    )
    log_format: Literal["console", "json"] = Field(default="console", description="console (for people) or json (one object per line).")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least severe messages that are logged."
    )

    scratch_folder: Path | None = Field(
        default=None,
        description="Folder for runs' files, which the uids of runs can reach; default: the system's folder for temporary files.",
    )
    web_uid: int = Field(
        default=209_999,
        ge=0,
        le=2**31,
        description="Uid and gid that web changes to when it is started as root; 0 lets it stay root.",
    )
    first_uid: int = Field(
        default=210_000,
        ge=1000,
        le=2**31,
        description="First of the uids that runs get when the runner is root; nothing else may use the next 1,000.",
    )
    concurrency: int = Field(default_factory=count_cores, ge=1, le=256, description="Runs executed at the same time; default: the cores.")
    concurrency_per_learner: int | None = Field(
        default=None,
        ge=1,
        le=256,
        description="Runs of one learner that may have begun and not ended; default: one less than all, and at least one.",
    )
    quantum_seconds: float = Field(
        default=0.25, ge=0.02, le=10, description="Seconds that a learner may use more than others before its run is paused for theirs."
    )
    begun_runs: int | None = Field(
        default=None,
        ge=1,
        le=512,
        description="Runs of the usual size that may have begun and not ended; default: 64, but never more than fit in memory.",
    )
    spares: int = Field(
        default_factory=lambda: count_cores() + 2, ge=0, le=512, description="Confined children that wait for a run; default: cores + 2."
    )
    zygote_runs: int = Field(
        default=5000,
        ge=10,
        le=1_000_000,
        description="Children that one zygote forks before a new one, with another memory layout, follows.",
    )
    zygote_seconds: float = Field(default=3600, ge=10, le=604_800, description="Seconds that one zygote serves before a new one follows.")
    zygote_early: bool = Field(
        default=True,
        description="Start with a zygote that is ready sooner; one with optimizers, transforms and figures loaded follows at once.",
    )
    zygote_processor: Processor = Field(
        default={},
        description="For tests, as JSON: variables that make the libraries of zygotes compute as on another processor; "
        "no others are allowed.",
    )
    queue_runs: int = Field(default=200, ge=1, le=10_000, description="Runs that may wait, overall.")
    queue_runs_per_learner: int = Field(default=5, ge=1, le=10_000, description="Runs that may wait for one learner.")
    queue_runs_per_address: int = Field(
        default=100, ge=1, le=10_000, description="Runs that may wait for one network address (a classroom)."
    )

    rate_per_learner: float = Field(
        default=5, gt=0, le=100_000, description="Runs that one learner may order each second, once the burst is used up."
    )
    burst_per_learner: float = Field(
        default=30, ge=1, le=1_000_000, description="Runs that one learner may order at once; 64 KiB of a large body count as one more."
    )
    rate_per_address: float = Field(
        default=50,
        gt=0,
        le=100_000,
        description="Runs that one network address may order each second, once the burst is used up.",
    )
    burst_per_address: float = Field(
        default=1000, ge=1, le=1_000_000, description="Runs that one network address (a classroom) may order at once."
    )
    newcomer_rate_per_address: float = Field(
        default=1,
        gt=0,
        le=100_000,
        description="Learners of one network address who may each second get their cookie, and order their first run, after the burst.",
    )
    newcomer_burst_per_address: float = Field(
        default=300,
        ge=1,
        le=1_000_000,
        description="Learners of one network address who may get their cookie, and order their first run, at once.",
    )

    pace_per_learner: float = Field(
        default=50,
        gt=0,
        le=100_000,
        description="Requests of one learner that begin each second, once the burst is used up; others wait.",
    )
    pace_burst_per_learner: float = Field(
        default=1000, ge=1, le=1_000_000, description="Requests of one learner that may begin at once: pages and all their files."
    )
    newcomer_pace_per_address: float = Field(
        default=200,
        gt=0,
        le=100_000,
        description="Requests without a cookie from one network address that begin each second; others wait.",
    )
    newcomer_pace_burst_per_address: float = Field(
        default=4000,
        ge=1,
        le=1_000_000,
        description="Requests without a cookie from one network address that may begin at once.",
    )

    deadline_seconds: float = Field(
        default=10, gt=0, le=60, description="Wall and processor time of one run, unless its lesson requests more."
    )
    memory_bytes: int = Field(
        default=512 * MEBIBYTE, ge=64 * MEBIBYTE, le=16_384 * MEBIBYTE, description="Memory of one run in addition to its zygote's."
    )
    output_bytes: int = Field(default=MEBIBYTE, ge=1024, le=64 * MEBIBYTE, description="Standard output and error of one run.")
    records_bytes: int = Field(default=4 * MEBIBYTE, ge=1024, le=64 * MEBIBYTE, description="All records of one run together.")
    scratch_bytes: int = Field(default=64 * MEBIBYTE, ge=MEBIBYTE, le=4096 * MEBIBYTE, description="Files of one run.")
    scratch_inodes: int = Field(default=4096, ge=16, le=1_000_000, description="Number of files and folders of one run.")
    threads: int = Field(default=64, ge=4, le=1024, description="Threads of one run.")
    compute_threads: int = Field(default=1, ge=1, le=64, description="Threads with which PyTorch computes in one run.")
    graph_nodes: int = Field(default=2000, ge=10, le=20_000, description="The most nodes of a graph that is drawn whole.")
    layout_seconds: float = Field(default=5, gt=0, le=60, description="Time to lay out and draw all graphs of one run together.")

    lesson_factor: float = Field(
        default=2,
        ge=1,
        le=16,
        description="Factor by which a lesson may exceed these limits; its deadline may be up to 60 seconds in any case.",
    )

    request_bytes: int = Field(default=MEBIBYTE, ge=131_072, le=64 * MEBIBYTE, description="Body of one request to the API.")
    patience_seconds: float = Field(
        default=15,
        ge=1,
        le=50,
        description="How long a client may take to send the head of a request, may send nothing of its body, or may read "
        "nothing of an answer.",
    )
    connections_per_address: int = Field(
        default=2000,
        ge=10,
        le=100_000,
        description="Connections of one network address; beyond that, the one idle longest is closed. A trusted proxy has no such limit.",
    )
    held_bytes_per_learner: int = Field(
        default=4 * MEBIBYTE,
        ge=MEBIBYTE,
        le=1024 * MEBIBYTE,
        description="Incomplete bodies and unread answers of one learner; beyond that, the slowest connection is closed. "
        "Never less than 2 × `GRADROOM_REQUEST_BYTES`, nor than one such body and an import.",
    )
    held_bytes_per_address: int = Field(
        default=64 * MEBIBYTE,
        ge=MEBIBYTE,
        le=4096 * MEBIBYTE,
        description="The same for one network address. Never less than 4 × `GRADROOM_REQUEST_BYTES`, nor than 4 imports.",
    )
    held_bytes: int = Field(
        default=128 * MEBIBYTE,
        ge=MEBIBYTE,
        le=16_384 * MEBIBYTE,
        description="The same, overall. Never less than 8 × `GRADROOM_REQUEST_BYTES`, nor than 8 imports.",
    )
    keep_alive_seconds: float = Field(
        default=15, gt=0, le=300, description="Silence on an event stream after which a keep-alive comment is sent."
    )
    shutdown_seconds: float = Field(
        default=5, gt=0, le=300, description="Time that runs and requests get to end when the server is stopped."
    )

    @field_validator("allowed_hosts", "trusted_proxies", "course_folders", mode="before")
    @classmethod
    def split_names(cls, value: Any) -> Any:
        return tuple(name.strip() for name in value.split(",") if name.strip()) if isinstance(value, str) else value

    @field_validator("zygote_processor", mode="before")
    @classmethod
    def parse_variables(cls, value: Any) -> Any:
        return json.loads(value) if isinstance(value, str) else value

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
        room = memory_bytes() - _OWN_BYTES - self.spares * _SPARE_BYTES
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
    def socket(self) -> Path:
        """The path of the runner's socket."""
        return self.runner_socket or self.state_folder / "runner" / "runner.sock"


def load_settings(**given: Any) -> Settings:
    """Return the settings; `given` ones take precedence over the environment. Raises SettingsError."""
    try:
        return Settings(**given)
    except ValidationError as error:
        raise SettingsError("\n".join(describe(problem) for problem in error.errors(include_url=False))) from None


def describe(problem: Any) -> str:
    """Return a line about a wrong setting. The value of a secret is not repeated."""
    name = str(problem["loc"][0])
    given = "" if name in ("operator_token", "cookie_secret", "database_url") else f" (it is {problem['input']!r})"
    return f"{PREFIX}{name.upper()}: {problem['msg']}{given}"


def find_unknown() -> list[str]:
    """Return the environment variables that have our prefix but are no settings. They are most likely misspelt."""
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    return sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)
