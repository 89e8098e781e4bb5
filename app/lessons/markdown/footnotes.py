"""Footnotes, `[^1]`: their HTML, with a link to each note and back, and complaints about notes that nothing refers to."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markdown_it.token import Token

from app.protocol.run import Lang

BLOCKS = ("footnote_block_open", "footnote_block_close", "footnote_open", "footnote_close", "footnote_anchor")
TOKENS = (*BLOCKS, "footnote_ref")
WORDS: dict[Lang, dict[str, str]] = {
    "en": {"notes": "Notes", "note": "Note {number}", "back": "Back to the text of note {number}"},
    "zh-Hans": {"notes": "注释", "note": "注 {number}", "back": "回到注 {number} 的正文"},
}


def complete_footnotes(tokens: Sequence[Token], lang: Lang, prefix: str) -> None:
    """Put the HTML of every footnote token into its `meta`. `prefix` makes the ids of footnotes unique on the page."""
    for token in tokens:
        for one in (token, *(token.children or ())):
            if one.type in TOKENS:
                one.meta["html"] = _html(one, WORDS[lang], f"{prefix}note-")


def find_footnote_faults(env: Mapping[str, Any], lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield a line and a message for every footnote to which nothing refers."""
    for label, number in env.get("footnotes", {}).get("refs", {}).items():
        if number < 0:
            mark = f"[^{label.removeprefix(':')}]"
            line = next((at for at, line in enumerate(lines, 1) if line.lstrip().startswith(f"{mark}:")), 1)
            yield line, f"nothing refers to this footnote: expected {mark} in the text"


def _html(token: Token, words: Mapping[str, str], prefix: str) -> str:
    number = token.meta.get("id", 0) + 1
    note, back = f"{prefix}{number}", f"{prefix}{number}-from-{token.meta.get('subId', 0) + 1}"
    match token.type:
        case "footnote_ref":
            label = words["note"].format(number=number)
            return f'<sup class="note-mark"><a href="#{note}" id="{back}" role="doc-noteref" aria-label="{label}">{number}</a></sup>'
        case "footnote_anchor":
            label = words["back"].format(number=number)
            return f' <a class="note-back" href="#{back}" role="doc-backlink" aria-label="{label}">↩︎</a>'
        case "footnote_open":
            return f'<li id="{note}">\n'
        case "footnote_close":
            return "</li>\n"
        case "footnote_block_open":
            role = (
                "doc-endnotes" if prefix == "note-" else "group"
            )  # a lesson's text has one section of notes; an exercise's notes follow its task
            return f'<section class="notes" role="{role}" aria-label="{words["notes"]}">\n<ol>\n'
        case _:
            return "</ol>\n</section>\n"
