"""The commands and files that docs/class-of-forty.md and docs/deployment.md name exist."""

import re

import pytest
import typer.main

from app.cli import app
from app.settings import PREFIX, PROJECT, Settings

DOCUMENT = (PROJECT / "docs/class-of-forty.md").read_text()
DEPLOYMENT = (PROJECT / "docs/deployment.md").read_text()
COMPOSE_VARIABLES = set(re.findall(r"\$\{(\w+):-", (PROJECT / "compose.yaml").read_text()))
CADDY_VARIABLES = set(re.findall(r"\{\$(\w+)[:}]", (PROJECT / "docs/caddy/Caddyfile").read_text()))
SETTINGS = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}


@pytest.mark.parametrize("name", sorted(set(re.findall(r"\b(?:GRADROOM|CLASS)_[A-Z_]+", DOCUMENT + DEPLOYMENT))))
def test_every_variable_is_a_setting_or_one_of_compose_or_of_the_caddyfile(name: str) -> None:
    assert name in SETTINGS | COMPOSE_VARIABLES | CADDY_VARIABLES


@pytest.mark.parametrize("name", sorted(name for name in COMPOSE_VARIABLES if name.startswith("CLASS_")))
def test_every_variable_of_the_class_is_explained(name: str) -> None:
    assert f"| `{name}` |" in DEPLOYMENT


def test_every_option_of_loadtest_exists() -> None:
    command = typer.main.get_command(app).commands["loadtest"]  # type: ignore[attr-defined]
    known = {option for parameter in command.params for option in parameter.opts}
    lines = [line for line in DOCUMENT.splitlines() if "gradroom loadtest" in line]
    named = {option for line in lines for option in re.findall(r"(?<= )--[a-z-]+", line.partition("gradroom loadtest")[2])}
    assert named
    assert named <= known
