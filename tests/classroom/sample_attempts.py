"""A submission in the form in which web passes it to the store."""

from hashlib import sha256
from itertools import count

from app.classroom.store.stored_work_types import NewAttempt
from app.classroom.work.attempts import make_receipt

LIMIT = 10_000_000
numbers = count(1)


def new_attempt(
    *, passed: bool = False, key: str | None = None, source: str = "x = 1", seed: int = 0, at_ms: int = 1000, lesson: str = "basics/first",
    exercise: str = "square", answer: bytes = b'{"passed": false}', verdict: str = '{"passed":false,"checks":[]}',
) -> NewAttempt:  # fmt: skip
    digest = sha256(source.encode()).hexdigest()
    name = f"r{next(numbers)}"
    return NewAttempt(
        receipt=make_receipt(name, at_ms, digest), at_ms=at_ms, lesson=lesson, exercise=exercise, key=key, source=source,
        seed=seed, run_id=f"run-{name}", passed=passed, good=int(passed), total=1, mistake=None, verdict=verdict, answer=answer,
    )  # fmt: skip
