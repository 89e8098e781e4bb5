"""Text of a learner's objects as bounded strings that UTF-8 can encode. Runs in the child.

A learner's object may raise, give a false class, or return a very long text.
"""

from typing import Any

NAME_CHARACTERS = 200
MESSAGE_CHARACTERS = 8192
VALUE_CHARACTERS = 16_384
LABEL_CHARACTERS = 4096

_ELLIPSIS = "…"
_true_name = type.__dict__["__name__"].__get__


def plain(text: str, characters: int) -> str:
    """Return `text` as an exact str, cut to `characters` characters, with lone surrogates escaped."""
    exact = _shorten(str.__str__(text), characters)
    if exact.isascii():
        return exact
    return _shorten(exact.encode("utf-8", "backslashreplace").decode("utf-8"), characters)  # six characters for a surrogate


def _shorten(text: str, characters: int) -> str:
    return text if len(text) <= characters else text[: characters - 1] + _ELLIPSIS


def type_name(value: Any) -> str:
    """Return the real name of `type(value)`, even if the type pretends to have another."""
    return plain(_true_name(type(value)), NAME_CHARACTERS)


def str_of(value: Any, characters: int = MESSAGE_CHARACTERS) -> str:
    """Return `str(value)`; if that raises, a text that names the exception."""
    try:
        return plain(str(value), characters)
    except BaseException as error:
        return f"<str of {type_name(value)} raised {type_name(error)}>"


def repr_of(value: Any, characters: int = VALUE_CHARACTERS) -> str:
    """Return `repr(value)`; if that raises, a text that describes the exception."""
    try:
        return plain(repr(value), characters)
    except BaseException as error:
        return f"<repr of {type_name(value)} raised {type_name(error)}: {str_of(error, NAME_CHARACTERS)}>"
