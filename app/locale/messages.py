"""The interface's words: English msgids, and their Chinese from a gettext catalogue that is read once.

Mark a message by calling what `translator` gives, by any of the names `translate`, `_` and `t`, or, in a table that is
read later, with `mark`. A test extracts all of them and fails where the Chinese is missing.
Values go in afterwards: `translate("Line {line}").format(line=3)`.
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
    """The message itself: for tables whose messages are translated when they are used."""
    return message


def translator(lang: Lang) -> Translate:
    """What turns an English message into `lang`; a message without a translation stays English."""
    entries = load_entries(lang)

    def translate(message: str) -> str:
        return entries.get(message, message)

    return translate


@cache
def load_entries(lang: Lang) -> dict[str, str]:
    """Message to translation, without the empty ones. Read once a language."""
    if lang not in FOLDERS:
        return {}
    with catalogue_path(lang).open("rb") as file:
        catalogue = read_po(file, locale=FOLDERS[lang])
    return {str(entry.id): str(entry.string) for entry in catalogue if entry.id and entry.string and not entry.fuzzy}


def catalogue_path(lang: Lang) -> Path:
    """Where the catalogue of `lang` lies; only languages other than English have one."""
    return Path(__file__).parent / FOLDERS[lang] / "LC_MESSAGES" / "gradroom.po"
