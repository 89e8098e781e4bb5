"""Translations: the messages in the code are English, and their Chinese comes from a gettext catalogue that is read once.

To translate a message, call what `translator` returns. It must have one of the names `translate`, `words`, `_` and `t`, by which a test
finds all messages; the test fails if one has no Chinese. Wrap a message that is translated elsewhere in `mark`. Values are filled in after
translation: `translate("Line {line}").format(line=3)`.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal

from babel.messages.pofile import read_po

Lang = Literal["en", "zh-Hans"]
LANGS: tuple[Lang, ...] = ("en", "zh-Hans")
FOLDERS: dict[Lang, str] = {"zh-Hans": "zh_Hans"}

Translate = Callable[[str], str]


def mark(message: str) -> str:
    """Return the message unchanged. The call only marks it for extraction; it is translated where it is used."""
    return message


def translator(lang: Lang) -> Translate:
    """Return a function that translates a message into `lang`. A message without a translation stays English."""
    entries = load_entries(lang)
    return lambda message: entries.get(message, message)


@cache
def load_entries(lang: Lang) -> dict[str, str]:
    """Return the translations by message. Those that are empty or marked as fuzzy are left out. The catalogue is read only once."""
    if lang not in FOLDERS:
        return {}
    with catalogue_path(lang).open("rb") as file:
        catalogue = read_po(file, locale=FOLDERS[lang])
    return {str(entry.id): str(entry.string) for entry in catalogue if entry.id and entry.string and not entry.fuzzy}


def catalogue_path(lang: Lang) -> Path:
    """Return the path of the catalogue of `lang`. English has none."""
    return Path(__file__).parent / FOLDERS[lang] / "LC_MESSAGES" / "gradroom.po"
