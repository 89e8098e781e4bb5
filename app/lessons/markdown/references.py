"""Finds the links and pictures of a text, and later gives them their targets."""

from collections.abc import Callable, Mapping, Sequence

import msgspec
from markdown_it.token import Token

from app.lessons.markdown.parser import walk
from app.protocol.run import Lang

TERM = "term:"
PLANNED: dict[Lang, str] = {"en": "(planned)", "zh-Hans": "（尚未写成）"}


class Reference(msgspec.Struct, frozen=True):
    """A link or a picture. `close` is the token that ends a link."""

    line: int
    token: Token
    close: Token | None = None

    @property
    def target(self) -> str:
        """Return the address that the text gives, before it is resolved."""
        return str(self.token.attrs.get("src" if self.is_image else "href", ""))

    @property
    def is_image(self) -> bool:
        return self.token.type == "image"


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """What a reference leads to: the attributes of its element. `mark` follows the words of a link to a planned lesson."""

    attributes: Mapping[str, str] = {}
    mark: str = ""


Resolve = Callable[[Reference], Target | None]


def find_references(tokens: Sequence[Token]) -> list[Reference]:
    """Return the links and pictures among the tokens, in order."""
    placed = list(walk(tokens))
    closes = iter([one.token for one in placed if one.token.type == "link_close"])  # links do not stand in links
    return [
        Reference(line, token, next(closes) if token.type == "link_open" else None)
        for line, token, _ in placed
        if token.type in ("link_open", "image")
    ]


def point(references: Sequence[Reference], resolve: Resolve) -> tuple[str, ...]:
    """Give every reference the target that `resolve` returns. Return the ids of the linked terms, each once.

    Without a target, a link loses its address, and a picture becomes its alternative text.
    """
    terms = [one.target.removeprefix(TERM) for one in references if one.target.startswith(TERM)]
    for reference in references:
        _point(reference, resolve(reference))
    return tuple(dict.fromkeys(terms))


def _point(reference: Reference, target: Target | None) -> None:
    token = reference.token
    if reference.is_image and target is None:
        token.type, token.tag, token.children = "text", "", None
    token.attrs = dict(target.attributes) if target else {}
    if reference.is_image and target is not None:
        token.attrs = {"src": "", "alt": "", **token.attrs}
    if target is not None and target.mark and reference.close is not None:
        token.tag = "span"
        reference.close.meta["html"] = f' <small class="planned-mark">{target.mark}</small></span>'
