"""The settings of the two processes."""

import pytest

from app.serving.entry import allow_host
from app.settings import Settings


@pytest.mark.parametrize(("host", "name"), [("192.0.2.7", "192.0.2.7"), ("room.example", "room.example"), ("2001:db8::7", "[2001:db8::7]")])
def test_the_host_that_is_listened_on_is_allowed(host: str, name: str) -> None:
    assert allow_host(Settings(), host).allowed_hosts == (*Settings().allowed_hosts, name)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_listening_everywhere_allows_no_more_names(host: str) -> None:
    assert allow_host(Settings(), host).allowed_hosts == Settings().allowed_hosts
