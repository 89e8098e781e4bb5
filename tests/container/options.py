"""Translates compose.yaml to options of `docker run`, so that an engine without compose starts the services as compose would."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
# of images, of compose itself, or up to the caller
NOT_FOR_RUN = {"build", "image", "command", "depends_on", "networks", "ports", "profiles", "restart"}


def load_services(variables: Mapping[str, str] | None = None) -> dict[str, dict[str, Any]]:
    """Return the services of compose.yaml."""
    services: dict[str, dict[str, Any]] = load_compose(variables)["services"]
    return services


def load_compose(variables: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return all of compose.yaml, with its variables replaced by these, or else by their defaults."""
    composed: dict[str, Any] = interpolate(yaml.safe_load((ROOT / "compose.yaml").read_text()), variables or {})
    return composed


def interpolate(value: Any, variables: Mapping[str, str]) -> Any:
    """Replace the variables in a value, and in all that it contains. As in compose, a string stays one, even if nothing is left of it."""
    if isinstance(value, dict):
        return {name: interpolate(each, variables) for name, each in value.items()}
    if isinstance(value, list):
        return [interpolate(each, variables) for each in value]
    if isinstance(value, str):
        return re.sub(r"\$\{(\w+):-([^}]*)\}", lambda found: variables.get(found[1]) or found[2], value)
    return value


def run_options(service: dict[str, Any]) -> list[str]:
    """Return the options of `docker run` for a service. Raises KeyError for a key without a translation."""
    return [option for key, value in service.items() if key not in NOT_FOR_RUN for option in TRANSLATIONS[key](value)]


def repeated(name: str) -> Any:
    return lambda values: [f"{name}={value}" for value in values]


def single(name: str) -> Any:
    return lambda value: [f"{name}={str(value).lower() if isinstance(value, bool) else value}"]


def volumes(values: list[str]) -> list[str]:
    """Return the options for volumes. As in compose, relative paths begin at the file's own folder."""
    return [f"--volume={ROOT / value.removeprefix('./')}" if value.startswith("./") else f"--volume={value}" for value in values]


def environment(values: dict[str, Any]) -> list[str]:
    return [f"--env={name}={value}" for name, value in values.items()]


def health(check: dict[str, Any]) -> list[str]:
    """Return no options: an engine's command line takes a shell command, so the caller tries the check instead."""
    assert check["test"][0] == "CMD"
    return []


TRANSLATIONS = {
    "cap_add": repeated("--cap-add"),
    "cap_drop": repeated("--cap-drop"),
    "environment": environment,
    "healthcheck": health,
    "init": single("--init"),
    "mem_limit": single("--memory"),
    "network_mode": single("--network"),
    "pids_limit": single("--pids-limit"),
    "read_only": single("--read-only"),
    "security_opt": repeated("--security-opt"),
    "tmpfs": repeated("--tmpfs"),
    "user": single("--user"),
    "volumes": volumes,
}
