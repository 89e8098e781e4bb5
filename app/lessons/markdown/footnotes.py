"""Footnotes, `[^1]`: their HTML, with a link to each note and back, and complaints about notes that nothing refers to."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markdown_it.token import Token

from app.protocol.run import Lang

BLOCKS = {  # the HTML of the tokens around the text of a footnote, by type
    "footnote_block_open": '<section class="notes" role="{role}" aria-label="{notes}">\n<ol>\n',
    "footnote_block_close": "</ol>\n</section>\n",
    "footnote_open": '<li id="{note}">\n',
    "footnote_close": "</li>\n",
    "footnote_anchor": ' <a class="note-back" href="#{mark}" role="doc-backlink" aria-label="{to_mark}">↩︎</a>',
}
TOKENS = {
    **BLOCKS,
    "footnote_ref": '<sup class="note-mark"><a href="#{note}" id="{mark}" role="doc-noteref" aria-label="{to_note}">{number}</a></sup>',
}
WORDS: dict[Lang, dict[str, str]] = {
    "en": {"notes": "Notes", "to_note": "Note {number}", "to_mark": "Back to the text of note {number}"},
    "zh-Hans": {"notes": "注释", "to_note": "注 {number}", "to_mark": "回到注 {number} 的正文"},
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
    return TOKENS[token.type].format(
        number=number,
        note=f"{prefix}{number}",
        mark=f"{prefix}{number}-from-{token.meta.get('subId', 0) + 1}",
        role="doc-endnotes" if prefix == "note-" else "group",  # a lesson has one section of notes; an exercise's follow its task
        **{name: text.format(number=number) for name, text in words.items()},
    )
