"""A place that can be found, and the words by which it is found."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from app.protocol.run import Lang

PlaceKind = Literal["lesson", "section", "exercise", "pitfall", "term", "page", "card", "path"]


class PlaceText(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a place in one language, as plain text. Words in the first fields count the most:

    - `term`: the word under which people look for it
    - `title`: also shown in a result; `where`, which is shown beside it, is not searched
    - `lead`: what it is about in a sentence or two
    - `headings`
    - `text`

    `hidden` is found like `text`, but no result shows it, because it contains what the page shows only after an answer.
    """

    title: str
    where: str = ""
    term: str = ""
    lead: str = ""
    headings: str = ""
    text: str = ""
    hidden: str = ""


class FindablePlace(msgspec.Struct, frozen=True, kw_only=True):
    """A page or a part of one.

    - `path` is its address without the language, such as "autograd/leaves#section-keeping-more".
    - `names` are names of the API that are explained here first, and `code` is code that uses names.
    - `pitfall` is the code of the pitfall to which a page belongs.
    """

    kind: PlaceKind
    path: str
    texts: Mapping[Lang, PlaceText]
    names: tuple[str, ...] = ()
    code: str = ""
    pitfall: str = ""

    @property
    def page(self) -> str:
        """The address of the page that the place is on."""
        return self.path.partition("#")[0]
