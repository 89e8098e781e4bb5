"""Passwords and their hashes."""

import asyncio
import os
import threading
from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from app.classroom.people import passwords
from app.classroom.people.passwords import (
    HASHER,
    MOST_WAITING,
    NICENESS,
    NO_PASSWORD,
    Passwords,
    TooManySignIns,
    WeakPassword,
    check_password,
)

pytestmark = pytest.mark.anyio
PASSWORD = "correct horse battery"


@pytest.fixture
def hashing() -> Iterator[Passwords]:
    made = Passwords()
    yield made
    made.close()


async def test_a_password_is_verified(hashing: Passwords) -> None:
    hashed = await hashing.hash(PASSWORD)
    assert PASSWORD not in hashed
    assert len(hashed) <= 255
    assert await hashing.verify(hashed, PASSWORD, "stranger")
    assert not await hashing.verify(hashed, PASSWORD + "!", "known")
    assert not await hashing.verify("no hash", PASSWORD, "known")


async def test_for_nobody_a_hash_of_the_same_cost_is_verified(hashing: Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not HASHER.check_needs_rehash(NO_PASSWORD)
    monkeypatch.setattr(passwords, "NO_PASSWORD", await hashing.hash(PASSWORD))
    assert not await hashing.verify(None, PASSWORD, "stranger")  # not even with the password of that hash


async def test_a_hash_with_earlier_parameters_is_replaced(hashing: Passwords) -> None:
    old = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash(PASSWORD)
    new = await hashing.rehash(old, PASSWORD)
    assert new and await hashing.verify(new, PASSWORD, "known")
    assert await hashing.rehash(new, PASSWORD) is None


async def test_strangers_wait_in_a_bounded_number_and_do_not_stand_in_the_way_of_others(hashing: Passwords) -> None:
    hashed = await hashing.hash(PASSWORD)
    guesses = [asyncio.ensure_future(hashing.verify(None, "guess", "stranger")) for _ in range(3 * MOST_WAITING)]
    assert await hashing.verify(hashed, PASSWORD, "known")
    answers = await asyncio.gather(*guesses, return_exceptions=True)
    assert [type(answer) for answer in answers] == [bool] * MOST_WAITING + [TooManySignIns] * (2 * MOST_WAITING)


async def test_a_password_is_the_same_however_the_keyboard_composes_it(hashing: Passwords) -> None:
    assert await hashing.verify(await hashing.hash("caf\u00e9 au lait"), "cafe\u0301 au lait", "known")


async def test_a_strangers_password_is_verified_at_a_low_priority(hashing: Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
    def priority(self: Passwords, *_: object) -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    monkeypatch.setattr(Passwords, "_is_hash_of", priority)
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    assert await hashing.verify(None, "", "known") == own
    assert await hashing.verify(None, "", "stranger") == max(own, NICENESS)


@pytest.mark.parametrize("password", ["", "short", "aaaaaaaaaaaaaaaa", "abababababababab", "Ada Lovelace", "x" * 257])
def test_a_weak_password_is_refused(password: str) -> None:
    with pytest.raises(WeakPassword):
        check_password(password, "ada lovelace")


def test_words_are_a_good_password() -> None:
    check_password(PASSWORD, "Ada")
    check_password("正确的马电池订书钉们吗", "Ada")
