"""Six learners, each of whom shows a record of 4 MiB that decodes to 1.4 million numbers, again and again."""

from tests.load.attacks.attack import Target, show_for_ever

LEARNERS = 6
RECORD = """
row = b"[" + b",".join([b"10"] * 4096) + b"]"
matrix = b"[" + b",".join([row] * 340) + b"]"
pair = b'{"output":0,"input":0,"shape":[340,4096],"numerical":' + matrix + b"}"
record = b'{"kind":"gradcheck","id":"g","order":1,"mode":"reverse","passed":false,"eps":1,"atol":1,"rtol":1,"pairs":[' + pair + b"]}"
"""


async def attack(target: Target) -> None:
    await show_for_ever(target, RECORD, LEARNERS)
