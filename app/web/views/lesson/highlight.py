"""Python source as coloured HTML, for pages without the editor or before it is loaded. The CSS classes are those of the editor."""

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from itertools import groupby
from operator import itemgetter

from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String

# k keyword, d defined name, a decorator, n number or constant, s string, c comment; more special kinds come first
CLASSES = (
    (Comment, "c"),
    (String, "s"),
    (Number, "n"),
    (Keyword.Constant, "n"),
    (Keyword, "k"),
    (Operator.Word, "k"),
    (Name.Decorator, "a"),
    (Name.Class, "d"),
    (Name.Function, "d"),
)

_lexer = PythonLexer(stripnl=False, ensurenl=False)


@lru_cache(maxsize=1024)
def render_lines(source: str) -> tuple[str, ...]:
    """Return the lines of `source` as HTML, without line ends."""
    lines = [""]
    for name, parts in groupby(_classified(source.rstrip("\n")), itemgetter(0)):
        first, *others = (_render(part, name) for part in "".join(map(itemgetter(1), parts)).split("\n"))
        lines[-1] += first
        lines += others
    return tuple(lines)


def _classified(source: str) -> Iterator[tuple[str, str]]:
    for kind, text in _lexer.get_tokens(source):
        yield next((name for parent, name in CLASSES if kind in parent), ""), text


def _render(text: str, name: str) -> str:
    escaped = escape(text, quote=False)
    return f'<span class="{name}">{escaped}</span>' if name and text else escaped
