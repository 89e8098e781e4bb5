"""Two programs exchange nothing by the closed channels; without the sandbox the same programs do."""

import os
from collections.abc import Iterator
from contextlib import suppress
from unittest.mock import patch

import pytest

from tests.programs import BARE_RUNNER, Programs, running_programs
from tests.sandbox.exchange.channel import Channel, decode, load_channels, parse_channel
from tests.sandbox.exchange.trial import Closed, try_in_runner, try_outside

CLOSED = [channel for channel in load_channels() if channel.expected == "closed" and not channel.unless]
SLOT_SECONDS, SECONDS = 0.05, 3.0


@pytest.fixture(scope="module")
def two_places() -> Iterator[Programs]:
    """A runner that executes two programs at the same time on any machine."""
    with patch.dict(os.environ, GRADROOM_CONCURRENCY="2"), running_programs(runner=BARE_RUNNER) as programs:
        yield programs


@pytest.mark.parametrize("channel", CLOSED, ids=lambda channel: channel.name)
def test_no_bit_passes_where_it_is_closed(channel: Channel, two_places: Programs) -> None:
    with suppress(Closed):
        passed = try_in_runner(two_places, channel, SLOT_SECONDS, SECONDS)
        assert not passed.passes, passed


@pytest.mark.parametrize("name", ["record_locks", "file_locks", "descriptor_locks"])
def test_outside_the_sandbox_the_bits_pass(name: str) -> None:
    channel = next(channel for channel in CLOSED if channel.name == name)
    assert try_outside(channel, 2 * SLOT_SECONDS, SECONDS).passes


@pytest.mark.parametrize("level", [-1.0, 1.0])
def test_bits_are_read_whichever_way_the_numbers_go(level: float) -> None:
    bits = [0, 1] * 30
    assert decode([level * bit for bit in bits], bits, 0.1).errors == 0


def test_what_says_nothing_passes_nothing() -> None:
    bits = [0, 1, 1, 0] * 20
    passed = decode([7.0] * len(bits), bits, 0.1)
    assert not passed.passes
    assert passed.bits_per_second == 0


def test_a_channel_says_what_it_is_and_what_is_expected() -> None:
    with pytest.raises(ValueError, match="mine: no header"):
        parse_channel("mine", "def act(): ...")
