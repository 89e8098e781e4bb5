"""What the built front end is called: `node static/build.mjs` writes the two files that are read here."""

from functools import cache
from pathlib import Path

import msgspec

from app.locale.messages import translator
from app.protocol.run import Lang


class Pages(msgspec.Struct, frozen=True):
    """`imports`: the chunks that a script needs besides itself; `messages`: what the scripts translate."""

    imports: dict[str, list[str]]
    messages: list[str]


class Assets(msgspec.Struct, frozen=True):
    """The addresses of the built files, and the words of the scripts."""

    manifest: dict[str, str]
    pages: Pages

    def address(self, name: str) -> str:
        """Where "lesson.js" is served now; raises KeyError for a file that is not built."""
        return f"/static/{self.manifest[name]}"

    def imports(self, script: str) -> list[str]:
        """The addresses of all that `script` imports, for loading them at once rather than in turn."""
        return [f"/static/{name}" for name in self.pages.imports.get(script, [])]

    def words(self, lang: Lang) -> dict[str, str]:
        """The scripts' messages in `lang`, without those that stay as they are."""
        translate = translator(lang)
        pairs = ((message, translate(message)) for message in self.pages.messages)
        return {message: words for message, words in pairs if message != words}


def load_assets(folder: Path) -> Assets:
    """The assets in `folder`, read again only after a new build."""
    return _load(folder, (folder / "manifest.json").stat().st_mtime_ns)


@cache
def _load(folder: Path, _modified: int) -> Assets:
    return Assets(
        msgspec.json.decode((folder / "manifest.json").read_bytes(), type=dict[str, str]),
        msgspec.json.decode((folder / "pages.json").read_bytes(), type=Pages),
    )
