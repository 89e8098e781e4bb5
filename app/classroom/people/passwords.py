"""Passwords, stored as Argon2id hashes.

A hash takes 32 MiB and about 80 ms of one core, so that guessing is slow for somebody who has a copy of the database. Each of two threads
computes one hash at a time, so that guessing at the server exhausts neither its processor nor its memory. Strangers have one thread, with
a low priority. People who have a link or a session, or a browser with which they have signed in before, have the other.
"""

import asyncio
import contextlib
import os
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Literal, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

FEWEST_CHARACTERS, MOST_CHARACTERS = 10, 256
DIFFERENT_CHARACTERS = 5
MOST_WAITING = 8  # for one thread: less than a second of work
HASHER = PasswordHasher(time_cost=3, memory_cost=32 * 1024, parallelism=1)
# the hash of a random password that nobody knows, with the parameters of HASHER
NO_PASSWORD = "$argon2id$v=19$m=32768,t=3,p=1$OXB5KgvuTvB3XXnFce6C9g$gZgvUSH8ecVWn55ooH0CNUV/zaiAFoomdffxx0vDZMA"
NICENESS = 10
Asker = Literal["known", "stranger"]
T = TypeVar("T")


class TooManySignIns(Exception):
    """More people sign in at this moment than passwords can be verified."""


class WeakPassword(ValueError):
    """A password is too short, too long, or too simple."""


def check_password(password: str, name: str) -> None:
    """Raise WeakPassword if `password` is too easy to guess for the person `name`."""
    if not FEWEST_CHARACTERS <= len(password) <= MOST_CHARACTERS:
        raise WeakPassword
    if len(set(password)) < DIFFERENT_CHARACTERS or password.casefold() == name.casefold():
        raise WeakPassword


def normalize(password: str) -> str:
    """Return a password in Unicode's form NFKC, because keyboards compose the same character in different ways."""
    return unicodedata.normalize("NFKC", password)


def give_way() -> None:
    """Give this thread a lower priority than the threads of pages and the runs of learners. Linux has a priority for each thread."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


class Passwords:
    """Makes and verifies hashes: one at a time for known people, and one at a time for strangers."""

    def __init__(self, hasher: PasswordHasher = HASHER) -> None:
        self._hasher = hasher
        self._threads = {
            "known": ThreadPoolExecutor(1, "password-known"),
            "stranger": ThreadPoolExecutor(1, "password-stranger", initializer=give_way),
        }
        self._waiting = dict.fromkeys(self._threads, 0)

    async def hash(self, password: str) -> str:
        """Return the hash of a new password of somebody who has a link or a session. Raises TooManySignIns."""
        return await self._compute("known", self._hasher.hash, normalize(password))

    async def verify(self, stored: str | None, password: str, asker: Asker) -> bool:
        """Return whether `stored` is the hash of `password`. Raises TooManySignIns.

        `stored` is None if there is no such person. Verifying takes equally long then, so that the time does not reveal which names exist.
        """
        is_hash_of = partial(self._is_hash_of, stored or NO_PASSWORD, stored is not None)
        return await self._compute(asker, is_hash_of, normalize(password[:MOST_CHARACTERS]))

    async def rehash(self, stored: str, password: str) -> str | None:
        """Return a new hash of a password if `stored` was made with other parameters, else None. Raises TooManySignIns."""
        return await self.hash(password) if self._hasher.check_needs_rehash(stored) else None

    def close(self) -> None:
        for thread in self._threads.values():
            thread.shutdown(cancel_futures=True)

    def _is_hash_of(self, stored: str, is_real: bool, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password) and is_real
        except (VerificationError, InvalidHashError):
            return False

    async def _compute(self, asker: Asker, function: Callable[[str], T], password: str) -> T:
        if self._waiting[asker] >= MOST_WAITING:
            raise TooManySignIns
        self._waiting[asker] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads[asker], function, password)
        finally:
            self._waiting[asker] -= 1
