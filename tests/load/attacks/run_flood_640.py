"""Three cookies that order 640 runs a second, and close each connection before it is answered."""

from tests.load.attacks.attack import Target, new_cookie, order
from tests.load.flood import flood

PER_SECOND = 640
COOKIES = 3


async def attack(target: Target) -> None:
    cookies = [await new_cookie(target) for _ in range(COOKIES)]
    await flood(target, [order("print(1)", cookie).encode() for cookie in cookies], PER_SECOND)
