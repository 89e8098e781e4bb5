"""One client that asks for the map 420 times a second, without a cookie, and closes each connection before it is answered."""

from tests.load.attacks.attack import Request, Target
from tests.load.flood import flood

PER_SECOND = 420


async def attack(target: Target, per_second: float = PER_SECOND) -> None:
    await flood(target, [Request(b"", path="/en/", method="GET").encode()], per_second)
