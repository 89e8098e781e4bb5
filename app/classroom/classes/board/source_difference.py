"""The lines of a text, and how they differ from an earlier text."""

from collections.abc import Iterator
from difflib import SequenceMatcher

MOST_LINES = 400  # of a text that is compared; the time grows with the square of this


def compare_lines(before: str | None, after: str) -> list[str]:
    """Return the lines of `after`, prefixed with "+" if they are new and " " if not, and between them the removed lines, prefixed with "-".

    If `before` is None, or a text has more than MOST_LINES lines, no line counts as new.
    """
    new = after.splitlines()
    old = before.splitlines() if before is not None else []
    if before is None or max(len(old), len(new)) > MOST_LINES:
        return [f" {line}" for line in new]
    return list(_sign_lines(old, new))


def _sign_lines(old: list[str], new: list[str]) -> Iterator[str]:
    for kind, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (f" {line}" for line in new[new_from:new_to])
        else:
            yield from (f"-{line}" for line in old[old_from:old_to])
            yield from (f"+{line}" for line in new[new_from:new_to])
