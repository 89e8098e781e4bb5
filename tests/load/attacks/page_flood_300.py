"""One client that asks for the map 300 times a second, without a cookie, and closes each connection before it is answered."""

from tests.load.attacks import page_flood_420
from tests.load.attacks.attack import Target

PER_SECOND = 300


async def attack(target: Target) -> None:
    await page_flood_420.attack(target, PER_SECOND)
