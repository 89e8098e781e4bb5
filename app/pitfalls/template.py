"""Our own texts with holes, `{name}`, which are filled with values. A brace of the text itself is written twice."""

import re
from collections.abc import Mapping
from string import Formatter

_NAME = re.compile(r"[a-z_][a-z0-9_]*")


def list_holes(text: str) -> frozenset[str]:
    """Return the names of the holes. Raises ValueError if a hole is anything but a name, as in `{x.y}` or `{x!r}`."""
    holes = [(field, form, conversion) for _, field, form, conversion in Formatter().parse(text) if field is not None]
    for field, form, conversion in holes:
        if form or conversion or not _NAME.fullmatch(field):
            raise ValueError(f"{{{field}}} is not the name of a value")
    return frozenset(field for field, _, _ in holes)


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return the text with its holes filled. Values are never searched for holes. Raises KeyError if a value is missing."""
    return text.format_map(values)
