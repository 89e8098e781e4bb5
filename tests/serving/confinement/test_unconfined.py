"""Where a server without a sandbox is refused."""

import socket

import pytest

from app.serving.confinement.unconfined import refuse_in_public
from app.serving.web_process.port import open_port
from app.settings import Settings


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "localhost"])
def test_loopback_is_accepted(host: str) -> None:
    with open_port(host, 0) as listener:
        refuse_in_public(listener, Settings())


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="there is no IPv6 here")
def test_loopback_of_ipv6_is_accepted_and_its_wildcard_is_not() -> None:
    with open_port("::1", 0) as listener:
        refuse_in_public(listener, Settings())
    with open_port("::", 0) as listener, pytest.raises(match="listen on ::"):
        refuse_in_public(listener, Settings())


def test_an_address_that_others_reach_is_refused() -> None:
    with open_port("0.0.0.0", 0) as listener, pytest.raises(match=r"others could run programs.*listen on 0\.0\.0\.0"):
        refuse_in_public(listener, Settings())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(allowed_hosts=("localhost", "room.example")), "answer to the name room.example"),
        (Settings(trusted_proxies=("127.0.0.1",)), "trust the proxy 127.0.0.1"),
    ],
)
def test_what_is_meant_to_be_reached_through_a_proxy_is_refused(settings: Settings, words: str) -> None:
    with open_port("127.0.0.1", 0) as listener, pytest.raises(match=words):
        refuse_in_public(listener, settings)


def test_there_is_no_setting_for_it() -> None:
    assert [name for name in Settings.model_fields if "sandbox" in name or "confined" in name] == []
