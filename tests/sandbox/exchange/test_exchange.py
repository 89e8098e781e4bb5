"""Two programs exchange nothing by the closed channels; without the sandbox the same programs do."""

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from unittest.mock import patch

import pytest

from tests.programs import BARE_RUNNER, running_programs
from tests.sandbox.exchange.channel import Passed, decode, load_channels, parse_channel
from tests.sandbox.exchange.trial import Closed, try_in_runner, try_outside

CLOSED = [channel for channel in load_channels() if channel.expected == "closed" and not channel.unless]
SLOT_SECONDS, SECONDS = 0.05, 3.0
AT_ONCE = 4


@pytest.fixture(scope="module")
def passed() -> Iterator[dict[str, Future[Passed]]]:
    """Return what passes through each closed channel. Some channels are tried at the same time, because their programs mostly wait."""
    with (
        patch.dict(os.environ, GRADROOM_CONCURRENCY=str(2 * AT_ONCE)),
        running_programs(runner=BARE_RUNNER) as programs,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        yield {channel.name: pool.submit(try_in_runner, programs, channel, SLOT_SECONDS, SECONDS) for channel in CLOSED}


@pytest.mark.parametrize("name", [channel.name for channel in CLOSED])
def test_no_bit_passes_where_it_is_closed(name: str, passed: dict[str, Future[Passed]]) -> None:
    with suppress(Closed):
        found = passed[name].result()
        assert not found.passes, found


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
