"""A channel by which two programs could communicate: the text of both programs, and the bits that passed.

A file of `channels/` names the channel. It defines `act(bit, k, end)`, which shows bit number `k` until the time `end`, and
`look(k, begin, end)`, which returns a number that depends on the bit. From START on, time is divided into slots of SLOT seconds, one for
each of BITS.
"""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

FOLDER = Path(__file__).parent / "channels"
CERTAIN = 1e-6  # the highest probability that guessed bits count as passed

_HEADER = re.compile(r"# by: (.+)\n# expected: (closed|open)(?:, but (open .+))?\n")
_PREFIX = """
import atexit, contextlib, ctypes, fcntl, hashlib, json, os, signal, struct, threading, time
def wait(until):
    if (left := until - time.time()) > 0:
        time.sleep(left)
"""
_ROLES = {
    "sender": """
for k, bit in enumerate(BITS):
    wait(START + k * SLOT)
    act(bit, k, START + (k + 1) * SLOT)
print("[]")
""",
    "receiver": "print(json.dumps([look(k, START + k * SLOT, START + (k + 1) * SLOT) for k in range(len(BITS))]))",
}


@dataclass(frozen=True, kw_only=True)
class Channel:
    """One way to communicate. `unless` says where it is open although it is expected to be closed."""

    name: str
    by: str
    expected: str
    unless: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Passed:
    """How many bits passed and how many were wrong, without the first third, which both sides know and calibrate with."""

    slot_seconds: float
    bits: int
    errors: int

    @property
    def error_rate(self) -> float:
        return self.errors / self.bits

    @property
    def passes(self) -> bool:
        """Return whether so many right bits cannot be guessed."""
        return sum(math.comb(self.bits, n) for n in range(self.errors + 1)) / 2**self.bits < CERTAIN

    @property
    def bits_per_second(self) -> float:
        """Return the capacity of a binary symmetric channel with this error rate."""
        wrong = min(self.error_rate, 0.5)
        entropy = -sum(p * math.log2(p) for p in (wrong, 1 - wrong) if p > 0)
        return (1 - entropy) / self.slot_seconds


def load_channels() -> list[Channel]:
    """Load all channels, by name."""
    return [parse_channel(path.stem, path.read_text()) for path in sorted(FOLDER.glob("*.py"))]


def parse_channel(name: str, source: str) -> Channel:
    """Parse a channel's file. Raises ValueError if its header is incomplete."""
    header = _HEADER.match(source)
    if not header:
        raise ValueError(f"{name}: no header")
    return Channel(name=name, by=header[1], expected=header[2], unless=header[3] or "", text=source)


def write_program(channel: Channel, role: str, start: float, slot_seconds: float, bits: Sequence[int], files: Sequence[str]) -> str:
    """Return the program of one side. The receiver's BITS have the same length and are all 0."""
    shown = list(bits) if role == "sender" else [0] * len(bits)
    constants = f"START, SLOT, BITS, FILES = {start!r}, {slot_seconds!r}, {shown!r}, {list(files)!r}\n"
    return _PREFIX + constants + channel.text + _ROLES[role]


def decode(seen: Sequence[float], bits: Sequence[int], slot_seconds: float) -> Passed:
    """Find from the first third of the bits which numbers mean 0 and 1, and compare the others with what was sent."""
    known = len(bits) // 3
    levels = [median([value for value, bit in zip(seen[:known], bits, strict=False) if bit == side]) for side in (0, 1)]
    middle, upward = sum(levels) / 2, levels[1] >= levels[0]
    read = [int((value > middle) == upward) for value in seen[known:]]
    errors = sum(one != bit for one, bit in zip(read, bits[known:], strict=True))
    return Passed(slot_seconds=slot_seconds, bits=len(read), errors=errors)


def parse_seen(output: str) -> list[float]:
    """Parse what a receiver printed."""
    return [float(value) for value in json.loads(output)]
