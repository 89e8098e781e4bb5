"""The names of the built front-end files, read from the two files that `node static/build.mjs` writes."""

from functools import cache
from pathlib import Path

import msgspec

from app.locale.messages import translator
from app.protocol.run import Lang


class Pages(msgspec.Struct, frozen=True):
    """`imports` maps each script to the chunks that it imports, `messages` maps each to the messages of it and of all that it may load."""

    imports: dict[str, list[str]]
    messages: dict[str, list[str]]


class Assets(msgspec.Struct, frozen=True):
    """The addresses of the built files, and the messages of the scripts."""

    manifest: dict[str, str]
    pages: Pages

    def address(self, name: str) -> str:
        """Return the address of a file, such as "lesson.js". Raises KeyError if it is not built."""
        return f"/static/{self.manifest[name]}"

    def imports(self, script: str) -> list[str]:
        """Return the addresses of all chunks that `script` imports, so that the page can load them all at once."""
        return [f"/static/{name}" for name in self.pages.imports.get(script, [])]

    def picture(self, lang: Lang, path: str) -> str | None:
        """Return the address of the picture with which other sites show a link to the page, or None if there is none."""
        name = self.manifest.get(f"{lang}/{path}.png")
        return name and f"/static/{name}"

    def words(self, lang: Lang, script: str) -> dict[str, str]:
        """Return the messages of `script` in `lang`, without those that are the same in English."""
        translate = translator(lang)
        pairs = ((message, translate(message)) for message in self.pages.messages.get(script, []))
        return {message: words for message, words in pairs if message != words}


def load_assets(folder: Path) -> Assets:
    """Return the assets in `folder`, which are read again after a new build."""
    return _load(folder, (folder / "manifest.json").stat().st_mtime_ns)


@cache
def _load(folder: Path, _modified: int) -> Assets:
    return Assets(
        msgspec.json.decode((folder / "manifest.json").read_bytes(), type=dict[str, str]),
        msgspec.json.decode((folder / "pages.json").read_bytes(), type=Pages),
    )
