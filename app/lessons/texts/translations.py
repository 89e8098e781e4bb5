"""Records in translation.toml which Chinese block translates which English block. Finds Chinese blocks whose English has changed since."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.lessons.texts.text_blocks import TextBlock, read_blocks
from app.lessons.toml.source import Reader

FILE = "translation.toml"
HEAD = "# Which Chinese block was written for which English one. `gradroom lessons check --record` writes this file.\n"
Pair = tuple[Sequence[TextBlock], Sequence[TextBlock]]


def find_structure_faults(english: Sequence[TextBlock], other: Sequence[TextBlock]) -> Iterator[tuple[int, str]]:
    """Yield the line and a message for the first heading or directive in which a translation differs from the English text."""
    expected, got = [block for block in english if block.mark], [block for block in other if block.mark]
    for model, block in zip(expected, got, strict=False):
        if model.mark != block.mark:
            yield block.line, f"expected {model.mark} as at en.md:{model.line}, got {block.mark}"
            return
    if len(expected) > len(got):
        missing = expected[len(got)]
        yield other[-1].line if other else 1, f"expected {missing.mark} as at en.md:{missing.line}, but the text ends"
    elif len(got) > len(expected):
        yield got[len(expected)].line, f"{got[len(expected)].mark} is not in en.md"


def find_stale(reader: Reader, folder: str) -> Iterator[tuple[int, str]]:
    """Yield the line and a message for each Chinese block whose English block has changed since the translation."""
    if not (reader.folder / folder / FILE).exists():
        return
    toml = reader.read_toml(f"{folder}/{FILE}", "what was translated")
    known = {zh: str(hashes).split() for zh, hashes in (toml.data if toml else {}).items()}
    for english, chinese in _pairs(reader, folder):
        written_for = known.get(_hash(chinese))
        if written_for is not None and _hash(english) not in written_for and chinese:
            line = english[0].line if english else 1
            yield chinese[0].line, f"the English paragraph at en.md:{line} changed since this was written"


def record_translations(folder: Path, lesson: str) -> list[str]:
    """Record that the Chinese texts of a lesson and its exercises match the English texts. Return the files that were written."""
    changed: list[str] = []
    for place in text_folders(folder, lesson):
        pairs = _pairs(Reader(folder), place)
        recorded: dict[str, list[str]] = {}
        for english, chinese in pairs:
            hashes = recorded.setdefault(_hash(chinese), [])
            if _hash(english) not in hashes:
                hashes.append(_hash(english))
        text = HEAD + "".join(f'{chinese} = "{" ".join(english)}"\n' for chinese, english in recorded.items())
        path = folder / place / FILE
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(f"{place}/{FILE}")
    return changed


def text_folders(folder: Path, lesson: str) -> list[str]:
    """Return the folders with a lesson's texts: the lesson's own, and one for each exercise."""
    exercises = sorted(path.parent.name for path in (folder / lesson / "exercises").glob("*/exercise.toml"))
    return [lesson, *(f"{lesson}/exercises/{name}" for name in exercises)]


def _pairs(reader: Reader, folder: str) -> list[Pair]:
    texts = [reader.read(f"{folder}/{lang}.md", "a text") for lang in ("en", "zh-Hans")]
    return list(pair_blocks(*(read_blocks(text or "") for text in texts)))


def pair_blocks(english: Sequence[TextBlock], chinese: Sequence[TextBlock]) -> Iterator[Pair]:
    """Yield English blocks with the Chinese blocks that translate them.

    Headings and directives, which have a mark, are paired in order. Between two marks, blocks are paired one by one if both languages
    have as many; otherwise all of them make one pair.
    """
    for one, other in zip(_split(english), _split(chinese), strict=False):
        if len(one) == len(other):
            yield from (([first], [second]) for first, second in zip(one, other, strict=True) if first.source or second.source)
        elif one or other:
            yield one, other


def _split(blocks: Sequence[TextBlock]) -> list[list[TextBlock]]:
    """Return runs of blocks without a mark. Each block with a mark is a run of its own."""
    runs: list[list[TextBlock]] = [[]]
    for block in blocks:
        if block.mark:
            runs += [[block], []]
        else:
            runs[-1].append(block)
    return runs


def _hash(blocks: Sequence[TextBlock]) -> str:
    words = " ".join(" ".join(block.source.split()) for block in blocks)
    return hashlib.sha256(words.encode()).hexdigest()[:10]
