"""An entry of the reference, which describes one name, and its making from the object of that name."""

import inspect
from typing import Any, NamedTuple

from bootstrap.reference import docstring
from bootstrap.reference.signature import inspect_signature


class Entry(NamedTuple):
    """What the editor shows of a name.

    - `kind` is one of CodeMirror's kinds of completions: function, method, class, property, constant, namespace.
    - `signatures` are at most three ways to call it, such as "(input, *, out=None) -> Tensor".
    - `page` is the address of its documentation within its library's site. "=" stands for Sphinx' usual page, and "" for none.
    """

    kind: str
    signatures: tuple[str, ...] = ()
    summary: str = ""
    page: str = ""

    def encode(self) -> list[str]:
        """Return the fields as a list. Empty fields at the end are left out."""
        fields = [self.kind, "\n".join(self.signatures), self.summary, self.page]
        while not fields[-1]:
            fields.pop()
        return fields


def describe(value: Any, page: str = "", *, method: bool = False) -> Entry:
    """Return the entry of an object. `page` is that of Entry; `method` says that the object is a member of a class."""
    if inspect.ismodule(value):
        return Entry("namespace", (), docstring.summarize(value.__doc__), page)
    text = docstring.of(value)
    summary = docstring.summarize(text)
    if isinstance(value, type):
        return Entry("class", signatures_of(value, text), summary, page)
    if callable(value):
        return Entry("method" if method else "function", signatures_of(value, text, method=method), summary, page)
    return Entry("property" if method else "constant", (), summary, page)


def signatures_of(value: Any, text: str, *, method: bool = False) -> tuple[str, ...]:
    """Return the signature that Python knows. If that names no parameter, return those in the docstring `text`."""
    own = inspect_signature(value, method=method)
    if own and not own[0].startswith(("(*args, **kwargs)", "(*args)")):
        return own
    return docstring.find_signatures(text) or own
