"""Finds Debian's Caddy."""

import shutil

import pytest

from app.settings import PROJECT

CADDYFILE = PROJECT / "docs/caddy/Caddyfile"


@pytest.fixture(scope="session")
def caddy() -> str:
    """Return the path of Caddy."""
    path = shutil.which("caddy")
    if path is None:
        pytest.skip("there is no Caddy, so docs/caddy/Caddyfile is NOT CHECKED: apt-get install caddy")
    return path
