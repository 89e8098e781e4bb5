"""Codes that people read from a projector or a sheet and type: join codes of classes, and resume codes of members.

They are written in Crockford's base 32, which has no I, L, O and U. Case, spaces and hyphens do not matter, I and L are read as 1, and O
as 0.
"""

import secrets
import unicodedata
from hashlib import sha256

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
JOIN_LETTERS = 8  # 40 bits
RESUME_LETTERS = 16  # 80 bits
GROUP = 4  # letters between two hyphens
MOST_TYPED = 100  # characters of a typed code that are read
READ_AS = str.maketrans({"I": "1", "L": "1", "O": "0"} | dict.fromkeys("-‐‑‒–—−_ \t\r\n"))


def draw_code(letters: int) -> str:
    """Return a new code of JOIN_LETTERS or RESUME_LETTERS letters."""
    return "".join(secrets.choice(LETTERS) for _ in range(letters))


def normalize_code(typed: str) -> str:
    """Return a typed code in the form in which codes are drawn, or "" if it cannot be a code."""
    code = unicodedata.normalize("NFKC", typed[:MOST_TYPED]).upper().translate(READ_AS)
    return code if len(code) in (JOIN_LETTERS, RESUME_LETTERS) and set(code) <= set(LETTERS) else ""


def format_code(code: str) -> str:
    """Return a code as people read it, such as ABCD-EFGH."""
    return "-".join(code[start : start + GROUP] for start in range(0, len(code), GROUP))


def hash_code(code: str) -> str:
    """Return the form in which a resume code is stored. The code is random, so it needs no slow hash."""
    return sha256(code.encode()).hexdigest()
