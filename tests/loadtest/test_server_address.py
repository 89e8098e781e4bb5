"""Which servers a load test may use."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.loadtest.server_address import AddressRefused, find_server, is_own, split_url

FOREIGN = "198.51.100.7"  # reserved for documentation by RFC 5737


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def lookup(*addresses: str) -> Callable[..., list[tuple[Any, Any, Any, Any, tuple[Any, ...]]]]:
    """Return a name server that has these addresses for every name."""
    return lambda name, port, **_: [(0, 0, 0, "", (address, port)) for address in addresses]


def own_address() -> str:
    """Return the address from which this machine would reach others; without a network, loopback. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((FOREIGN, 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", own_address()])
def test_addresses_of_this_machine_are_its_own(address: str) -> None:
    assert is_own((address, 80))


@pytest.mark.parametrize("address", [FOREIGN, "2001:db8::7", "224.0.0.1", "0.0.0.0", "255.255.255.255"])
def test_other_addresses_are_not(address: str) -> None:
    assert not is_own((address, 80))


def test_a_name_of_this_machine_is_rehearsed_under_that_name(port: int) -> None:
    server = find_server(f"http://Room.example:{port}/en/", operated=False, lookup=lookup("127.0.0.1"))
    assert (server.name, server.ip, server.own) == ("room.example", "127.0.0.1", True)
    assert server.origin == f"http://room.example:{port}"


@pytest.mark.parametrize("addresses", [(FOREIGN,), ("127.0.0.1", FOREIGN)])
def test_another_machine_is_refused_even_if_it_is_one_of_several(addresses: tuple[str, ...], port: int) -> None:
    with pytest.raises(AddressRefused, match=r"198\.51\.100\.7, which is not this machine.*--i-operate-this-server"):
        find_server(f"http://room.example:{port}", operated=False, lookup=lookup(*addresses))


def test_an_operator_may_name_another_machine(port: int) -> None:
    server = find_server(f"http://room.example:{port}", operated=True, lookup=lookup("127.0.0.1", FOREIGN))
    assert not server.own


def test_a_server_that_is_not_there_is_said_so(port: int) -> None:
    with pytest.raises(AddressRefused, match="Nothing answers"):
        find_server(f"http://[::1]:{port}", operated=False)


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://localhost", "http://", "http://localhost:99999", "http://me:secret@localhost"])
def test_what_is_no_address_of_a_server_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused, match="is not the address of a server"):
        split_url(url)


def test_a_port_that_goes_without_saying_is_not_said() -> None:
    assert split_url("https://gradroom.example.org/en/") == ("https", "gradroom.example.org", 443)
