"""Settings of the server itself: who reaches it by which name, its folders and secrets, its log, and the users of its processes."""

import re
from ipaddress import AddressValueError, IPv6Address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, SecretStr, field_validator
from pydantic_settings import NoDecode

PROJECT = Path(__file__).resolve().parents[2]
RUN_UIDS = 1000  # number of uids that belong to runs
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


# in the environment separated by commas
Hosts = Annotated[tuple[Annotated[str, AfterValidator(parse_host)], ...], NoDecode]
Proxies = Annotated[tuple[Annotated[str, AfterValidator(parse_proxy)], ...], NoDecode]
Folders = Annotated[tuple[Path, ...], NoDecode]


class ServingSettings(BaseModel):
    """Names, folders, secrets, the log and users."""

    allowed_hosts: Hosts = Field(
        default=("localhost", "127.0.0.1", "[::1]"),
        description="Host names, without ports, by which browsers may reach the server; the address that it listens on is always one.",
    )
    address: str = Field(
        default="http://localhost:8000",
        pattern=r"^https?://[^/?#\s]+/?$",
        description="The server's address as browsers know it, for the links that `gradroom instructor` prints.",
    )
    trusted_proxies: Proxies = Field(
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
    solutions: str = Field(
        default="after-try",
        pattern=r"^(always|after-try|after-[1-9]\d{0,2}-tries|never)$",
        description="When a learner may see the solution of an exercise: `always`, `after-try`, `after-N-tries` (such as `after-3-tries`), "
        "or `never`.",
    )
    web_processes: int = Field(
        default=1,
        ge=1,
        le=16,
        description="Web processes that `gradroom serve` and `gradroom web` start; more than one needs PostgreSQL. A single one is enough "
        "for some hundred learners.",
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
    shutdown_seconds: float = Field(
        default=5, gt=0, le=300, description="Time that runs and requests get to end when the server is stopped."
    )

    @field_validator("allowed_hosts", "trusted_proxies", "course_folders", mode="before")
    @classmethod
    def split_names(cls, value: Any) -> Any:
        return tuple(name.strip() for name in value.split(",") if name.strip()) if isinstance(value, str) else value
