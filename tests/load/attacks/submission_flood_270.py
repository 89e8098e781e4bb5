"""Three cookies that submit 270 programs a second, and close each connection before it is answered."""

import json

from app.settings import PROJECT
from tests.load.attacks.attack import Request, Target, new_cookie
from tests.load.flood import flood

PER_SECOND = 270
COOKIES = 3
LESSON, EXERCISE = "backward-twice/guard", "quantise"
SUBMISSIONS = f"/api/lessons/{LESSON}/exercises/{EXERCISE}/submissions"


async def attack(target: Target) -> None:
    source = (PROJECT / "lessons" / LESSON / "exercises" / EXERCISE / "solution.py").read_text()
    body = json.dumps({"source": source}).encode()
    cookies = [await new_cookie(target) for _ in range(COOKIES)]
    await flood(target, [Request(body, cookie, path=SUBMISSIONS).encode() for cookie in cookies], PER_SECOND)
