"""Four learners at a time, each of whom imports 29,000 submissions that were never made, in a zip of less than 100 kB."""

import asyncio
import io
import json
import zipfile
from hashlib import sha256

from tests.load.attacks.attack import PAUSE_SECONDS, Request, Target, exchange, new_cookie

AT_A_TIME = 4
RECORDS = 29_000
ATTEMPT = {
    "at_ms": 1,
    "sha256": sha256(b"").hexdigest(),
    "source": "",
    "seed": 0,
    "run": "r",
    "good": 0,
    "total": 0,
    "verdict": {"passed": False, "checks": []},
    "imported": False,
}
HEAD = {"format": "gradroom", "version": 1, "exported_ms": 1, "made_ms": 1, "lesson": None, "reviews": True}


async def attack(target: Target) -> None:
    data = make_zip()
    await asyncio.gather(*(keep_importing(target, data) for _ in range(AT_A_TIME)))


async def keep_importing(target: Target, data: bytes) -> None:
    while True:
        if await exchange(target, import_of(data, await new_cookie(target))) != 200:
            await asyncio.sleep(PAUSE_SECONDS)


def import_of(data: bytes, cookie: str) -> Request:
    return Request(data, cookie, {"Content-Type": "application/zip"}, "/api/me/import")


def make_zip(records: int = RECORDS) -> bytes:
    """Return an invented export, in the format of app/classroom/archive/archive_format.py."""
    attempts = [{"receipt": f"{number:05}", **ATTEMPT} for number in range(records)]
    lessons = {"backward-twice/guard": {"exercises": {"quantise": {"attempts": attempts}}}}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zipped:
        zipped.writestr("data.json", json.dumps({**HEAD, "lessons": lessons}))
    return buffer.getvalue()
