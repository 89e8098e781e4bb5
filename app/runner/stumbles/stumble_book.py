"""All common mistakes, which are loaded once from their files, and the one that explains an error."""

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from app.protocol.run import Lang, RunError
from app.runner.stumbles.pattern import Pattern
from app.runner.stumbles.stumble import Stumble
from app.runtimes.libraries import find_libraries

_FRAMEWORKS = ("torch", "jax")  # TensorFlow can be imported only in a run with TensorFlow
_BETWEEN: dict[Lang, str] = {"en": ", ", "zh-Hans": "、"}


class Explanation(NamedTuple):
    """The explanation of an error. `stumble`: the id of the mistake. `name`: the module or name that it is about, or None."""

    stumble: str
    text: str
    name: str | None


class StumbleBook:
    """All stumbles by id. Raises ValueError for a stumble whose file contradicts itself."""

    def __init__(self, stumbles: Mapping[str, Stumble]) -> None:
        self.stumbles = stumbles
        self._of_type: dict[str, dict[str, Stumble]] = defaultdict(dict)
        for name, stumble in stumbles.items():
            _check(name, stumble, stumbles)
            for when in stumble.when:
                self._of_type[when.type][name] = stumble

    def matching(self, error: RunError, program: str) -> dict[str, dict[str, str]]:
        """Return the stumbles that explain an error: by id, the values for the explanation.

        A stumble is left out if one of those in its `unless` explains the error, too.
        """
        candidates = self._of_type.get(error.type, {})
        found = {name: values for name, stumble in candidates.items() if (values := stumble.match(error, program)) is not None}
        return {name: values for name, values in found.items() if not any(other in found for other in candidates[name].unless)}

    def explain(self, error: RunError, program: str, lang: Lang) -> Explanation | None:
        """Return the explanation of an error, or None. `error.message` and the lines of its traceback must be harmless text."""
        for name, values in self.matching(error, program).items():
            text = self.stumbles[name].explanation[lang].strip()
            return Explanation(name, text.format_map(values | {"here": libraries_here(lang)}), values.get("name"))
        return None


@cache
def load_stumbles() -> StumbleBook:
    """Load the files in the folders beside this module. A file's name is the stumble's id.

    If a file is wrong, raises ValueError that names it.
    """
    stumbles: dict[str, Stumble] = {}
    for path in sorted(Path(__file__).parent.glob("*/*.toml")):
        try:
            stumbles[path.stem] = parse_stumble(tomllib.loads(path.read_text(encoding="utf-8")))
        except ValueError as error:
            raise ValueError(f"{path.name}: {error}") from None
    return StumbleBook(stumbles)


def parse_stumble(data: dict[str, Any]) -> Stumble:
    """Return the stumble in a file's data. Raises ValueError if the file does not have the right fields."""
    try:
        return msgspec.convert(data, Stumble, dec_hook=_parse_pattern)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


@cache
def libraries_here(lang: Lang) -> str:
    """Return the names of the modules that a program can import besides Python's own."""
    frameworks = [module for module in _FRAMEWORKS if (spec := find_spec(module)) is not None and spec.origin is not None]
    return _BETWEEN[lang].join([*frameworks, *find_libraries()])


def _check(name: str, stumble: Stumble, stumbles: Mapping[str, Stumble]) -> None:
    try:
        stumble.check(given=frozenset({"here"}))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if missing := set(stumble.unless) - set(stumbles):
        raise ValueError(f"{name}: there is no stumble {', '.join(sorted(missing))}")


def _parse_pattern(kind: type, value: Any) -> Pattern:
    if kind is Pattern and isinstance(value, str):
        return Pattern(value)
    raise NotImplementedError(f"{kind} is no type of these files")
