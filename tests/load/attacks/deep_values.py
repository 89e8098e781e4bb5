"""Six learners, each of whom shows a value nested 970 deep, again and again."""

from tests.load.attacks.attack import Target, show_for_ever

LEARNERS = 6
RECORD = """
record = b'{"kind":"value","id":"value-1","text":"","values":' + b"[" * 970 + b"]" * 970 + b"}"
"""


async def attack(target: Target) -> None:
    await show_for_ever(target, RECORD, LEARNERS)
