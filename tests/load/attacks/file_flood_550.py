"""One client that asks for one static file 550 times a second, and closes each connection before it is answered."""

from app.settings import PROJECT
from app.web.http.assets import load_assets
from tests.load.attacks.attack import Request, Target
from tests.load.flood import flood

PER_SECOND = 550
FILE = "lesson.js"


async def attack(target: Target) -> None:
    path = load_assets(PROJECT / "static" / "build").address(FILE)
    await flood(target, [Request(b"", path=path, method="GET").encode()], PER_SECOND)
