"""All pitfalls, which are loaded once from their files: the one that explains an error, and the words of a diagnosis."""

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from app.pitfalls.edits import ReadText, make_edits, write
from app.pitfalls.pattern import Pattern
from app.pitfalls.pitfall import Pitfall, Severity
from app.pitfalls.template import fill
from app.protocol.records.diagnosis import Diagnosis
from app.protocol.run import Lang, RunError

FOLDER = Path(__file__).parent
BETWEEN: dict[Lang, str] = {"en": " ", "zh-Hans": ""}
_MILDER: list[Severity] = ["error", "warning", "hint"]


class Explanation(NamedTuple):
    """The explanation of an error. `pitfall`: the code of the mistake. `name`: the module or name that it is about, or None."""

    pitfall: str
    text: str
    name: str | None


class PitfallBook:
    """All pitfalls by code. Raises ValueError for a pitfall whose file contradicts itself."""

    def __init__(self, pitfalls: Mapping[str, Pitfall]) -> None:
        self.pitfalls = pitfalls
        self._of_type: dict[str, dict[str, Pitfall]] = defaultdict(dict)
        for code, pitfall in pitfalls.items():
            _check(pitfall, pitfalls)
            for when in pitfall.when:
                self._of_type[when.type][code] = pitfall
        try:
            TopologicalSorter({code: pitfall.explains for code, pitfall in pitfalls.items()}).prepare()
        except CycleError as error:
            pitfall = next(each for each in pitfalls.values() if each.code in error.args[1])
            raise ValueError(f"{pitfall.about}/{pitfall.code}.toml: it explains itself") from None

    def matching(self, error: RunError, program: str) -> dict[str, dict[str, str]]:
        """Return the pitfalls that explain an error: by code, the values for the words.

        A pitfall is left out if one of those in its `unless` explains the error, too.
        """
        candidates = self._of_type.get(error.type, {})
        found = {code: values for code, pitfall in candidates.items() if (values := pitfall.match(error, program)) is not None}
        return {code: values for code, values in found.items() if not any(other in found for other in candidates[code].unless)}

    def explain(self, error: RunError, program: str, lang: Lang, here: str) -> Explanation | None:
        """Return the explanation of an error, or None. `error.message` and the lines of its traceback must be harmless text.

        `here`: the list of libraries that can be imported, in the same language.
        """
        for code, values in self.matching(error, program).items():
            pitfall = self.pitfalls[code]
            texts = [fill(words[lang].strip(), values | {"here": here}) for words in (pitfall.message, pitfall.change) if words]
            return Explanation(code, BETWEEN[lang].join(texts), values.get("name"))
        return None

    def put_into_words(self, diagnosis: Diagnosis, lang: Lang, read_text: ReadText) -> None:
        """Set the texts of a diagnosis, whatever was sent in these fields. For a code that is not known, they become empty.

        Its severity is that of the pitfall, unless a milder one was sent. Its places must be places of the program, whose text `read_text`
        returns. Raises ValueError if the diagnosis lacks a value that the words mention; it then has no texts.
        """
        diagnosis.title, diagnosis.message, diagnosis.change, diagnosis.lesson = "", None, None, None
        diagnosis.explains, diagnosis.edits = [], []
        pitfall = self.pitfalls.get(diagnosis.code)
        if pitfall is None:
            return
        values = {name: show_value(value) for name, value in diagnosis.values.items()}
        try:
            message = fill(pitfall.message[lang].strip(), values)
            change = fill(pitfall.change[lang].strip(), values) if pitfall.change else None
        except KeyError as error:
            raise ValueError(f"{diagnosis.code}: no value {error}") from error
        diagnosis.title = pitfall.name[lang] if pitfall.name else ""
        diagnosis.message, diagnosis.change, diagnosis.lesson = message, change, pitfall.lesson
        diagnosis.explains = pitfall.explains
        diagnosis.severity = max(diagnosis.severity, pitfall.severity, key=_MILDER.index)
        diagnosis.edits = make_edits(pitfall.edit, diagnosis, read_text)


@cache
def load_pitfalls(folder: Path = FOLDER) -> PitfallBook:
    """Load the files in the folders beside this module. A file's name is the pitfall's code, and its folder is what it is about.

    Raises ValueError, which names the file, if a file is wrong.
    """
    pitfalls: dict[str, Pitfall] = {}
    for path in sorted(folder.glob("*/*.toml")):
        try:
            if path.stem in pitfalls:
                raise ValueError("another folder has a file of this name")
            pitfalls[path.stem] = parse_pitfall(tomllib.loads(path.read_text(encoding="utf-8")), path.stem, path.parent.name)
        except ValueError as error:
            raise ValueError(f"{path.parent.name}/{path.name}: {error}") from None
    return PitfallBook(pitfalls)


def parse_pitfall(data: dict[str, Any], code: str, about: str) -> Pitfall:
    """Return the pitfall in a file's data. Raises ValueError if the file does not have the right fields."""
    if given := {"code", "about"} & set(data):
        raise ValueError(f"{', '.join(sorted(given))}: the file's name and its folder say this")
    try:
        return msgspec.convert(data | {"code": code, "about": about}, Pitfall, dec_hook=_parse_pattern)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


def _check(pitfall: Pitfall, pitfalls: Mapping[str, Pitfall]) -> None:
    try:
        pitfall.check(given=frozenset({"here"}))
        if missing := {*pitfall.unless, *pitfall.explains} - set(pitfalls):
            raise ValueError(f"there is no pitfall {', '.join(sorted(missing))}")
    except ValueError as error:
        raise ValueError(f"{pitfall.about}/{pitfall.code}.toml: {error}") from None


def _parse_pattern(kind: type, value: Any) -> Pattern:
    if kind is Pattern and isinstance(value, str):
        return Pattern(value)
    raise NotImplementedError(f"{kind} is no type of these files")


def show_value(value: object) -> str:
    """Return a value as it is written in a sentence."""
    return f"{value:g}" if isinstance(value, float) else write(value)
