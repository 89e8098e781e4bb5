"""A pattern on a message or a line: plain text in which `*` stands for anything and `{name}` for what is to be captured.

It is no regular expression: what is matched comes from a learner's process, and every search here takes time linear in the text, whatever
the pattern. What is captured may be repeated in our own words, so it must be short and no sentence. The capture called `name` is a dotted
name or one sign; every other capture is a word, a number or a shape.
"""

import re

TEXT_CHARACTERS = 1000  # how much of a text is matched; the rest is ignored
_CAPTURED_CHARACTERS = 60
_NAME = re.compile(r"[^\W\d][\w.]*|[^\w\s]")
_VALUE = re.compile(r"[\w.]+|[\d(\[-][\d\s,x()\[\]-]*")
_HOLE = re.compile(r"(\*|\{[a-z_]+\})")


class Pattern:
    """A pattern. `names`: the names of its captures. Raises ValueError if two holes touch, or one name is captured twice."""

    def __init__(self, text: str) -> None:
        parts = _HOLE.split(text)
        self._texts, self._holes = parts[0::2], parts[1::2]
        captures = [hole[1:-1] for hole in self._holes if hole != "*"]
        self.names = frozenset(captures)
        if "" in self._texts[1:-1]:
            raise ValueError(f"two holes touch in {text!r}")
        if len(self.names) < len(captures):
            raise ValueError(f"a name is captured twice in {text!r}")

    @property
    def shown(self) -> str:
        """The pattern as people read it: an ellipsis for whatever differs."""
        return "…".join(self._texts)

    def match(self, text: str) -> dict[str, str] | None:
        """Return what is captured if the whole text matches, else None. Each hole matches as little as it can."""
        text, first, last = text[:TEXT_CHARACTERS], self._texts[0], self._texts[-1]
        if not self._holes:
            return {} if text == first else None
        start, end = len(first), len(text) - len(last)
        if start > end or not (text.startswith(first) and text.endswith(last)):
            return None
        captured = {}
        for hole, following in zip(self._holes, [*self._texts[1:-1], ""], strict=True):
            stop = text.find(following, start, end) if following else end
            if stop < 0:
                return None
            if hole != "*":
                value = text[start:stop]
                if len(value) > _CAPTURED_CHARACTERS or not (_NAME if hole == "{name}" else _VALUE).fullmatch(value):
                    return None
                captured[hole[1:-1]] = value
            start = stop + len(following)
        return captured
