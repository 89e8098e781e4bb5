"""The files that a page names for a browser to load along with it: scripts, styles, fonts, icons."""

from html.parser import HTMLParser

LOADED = frozenset(("stylesheet", "icon", "preload", "modulepreload"))


class PageFiles(HTMLParser):
    """Collects `addresses`, in the order of the page, each once."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        address = given.get("href") if tag == "link" and LOADED & set((given.get("rel") or "").split()) else None
        address = given.get("src") if tag in ("script", "img") else address
        if address and not address.startswith("data:") and address not in self.addresses:
            self.addresses.append(address)


def find_files(html: str) -> list[str]:
    """The addresses as the page has them."""
    parser = PageFiles()
    parser.feed(html)
    return parser.addresses
