"""Random tokens of links and sessions. The store has only their hashes, so that a copy of the database signs nobody in."""

import secrets
from hashlib import sha256

TOKEN_BYTES = 32


def make_token() -> str:
    """Return a token of 256 random bits that can be a part of a URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Return the form in which a token is stored. The token is random, so it needs no slow hash."""
    return sha256(token.encode()).hexdigest()
