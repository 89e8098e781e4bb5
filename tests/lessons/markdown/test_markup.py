import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.lessons.model.model import Image, LessonText
from app.lessons.texts.references import Links, References
from app.lessons.texts.text import finish_text, parse_text
from app.protocol.run import Lang

ELEMENTS = {
    "a",
    "blockquote",
    "br",
    "code",
    "div",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "img",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "span",
    "strong",
    "summary",
    "details",
    "sup",
    "ul",
}
TABLES = {"table", "thead", "tbody", "tr", "th", "td"}
MATHS = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mstyle", "mpadded", "msqrt", "mtable", "mtr", "mtd", "mfrac", "mroot"}
SCRIPTS = {"msub", "msup", "munder", "mover", "msubsup", "munderover"}
ATTRIBUTES = {"alt", "aria-label", "class", "height", "href", "id", "loading", "role", "src", "start", "width"}
PICTURE = Image(file="p.svg", media_type="image/svg+xml", data=b"", width=2, height=1, address="/picture")
OWN = re.compile(r"#(note-\d+(-from-\d+)?|section-[a-z0-9-]+)")
MARKS = [
    "<script>",
    "<img src=x onerror=y>",
    "[a](javascript:x)",
    "[a](../b 'c\"')",
    "<javascript:x>",
    "![a](b)",
    "[a]{.leaf onclick=x}",
    "[a]{.evil}",
    '![a" onerror=x](images/p.svg "t")',
    "[^1]",
    "\n\n[^1]: <b>\n\n",
    ":::{answer} <b>\n",
    "::::{predict} x\n",
    ":::{why}\n",
]
MORE = [
    ":::{note} <b>\n",
    ":::\n",
    ":::{cell} a\n",
    "$",
    "$$\n",
    "`",
    "```<\n",
    "| a |\n|:-:|\n| b |\n",
    "- ",
    "> ",
    "## ",
    "\n\n",
    "*",
    "&lt;b&gt;",
    "\\",
]
TEXTS = st.lists(st.one_of(st.sampled_from(MARKS + MORE), st.text(max_size=8)), max_size=20)


class Seen(HTMLParser):
    """Collects the elements and attributes that a browser would find."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        if tag not in MATHS | SCRIPTS:
            self.attributes |= {name for name, _ in attrs}
        self.links += [value for name, value in attrs if name == "href"]


def render_text(text: str, lang: Lang = "en") -> tuple[LessonText, list[tuple[int, str]]]:
    mistakes: list[tuple[int, str]] = []
    references = References(Links(["one/b"]), "one/a", lang, {"p.svg": PICTURE})
    draft = parse_text(text, lang, references, lambda line, message: mistakes.append((line, message)))
    assert draft is not None
    return finish_text(draft, ["x"] * len(draft.sections)), mistakes


def render(text: str) -> tuple[str, list[tuple[int, str]]]:
    finished, mistakes = render_text(f"# T\n\nLede.\n\n{text}")
    return "".join(getattr(block, "html", "") for block in finished.blocks), mistakes


@settings(deadline=None)
@given(TEXTS)
@example(["> ", ":::{note} <b>\n", "> "])
def test_no_text_becomes_html_of_its_own(pieces: list[str]) -> None:
    seen = Seen()
    seen.feed(render("".join(pieces))[0])
    assert seen.elements <= ELEMENTS | TABLES | MATHS | SCRIPTS
    assert seen.attributes <= ATTRIBUTES
    assert {link for link in seen.links if not OWN.fullmatch(link or "")} <= {"/en/one/b"}


def test_a_callout_has_a_title_of_its_own_or_its_kind() -> None:
    html, mistakes = render(":::{tip} Do `this`\nText.\n:::\n\n:::{caution}\nText.\n:::\n")
    assert mistakes == []
    assert html == (
        '<div class="callout tip" role="note">\n<p class="callout-title">Do <code>this</code></p>\n<p>Text.</p>\n</div>\n'
        '<div class="callout caution" role="note">\n<p class="callout-title">Caution</p>\n<p>Text.</p>\n</div>\n'
    )


def test_a_callout_can_stand_in_another() -> None:
    html, mistakes = render("::::{note}\n:::{tip}\nText.\n:::\n::::\n")
    assert mistakes == []
    assert html.count('<div class="callout') == html.count("</div>") == 2


def test_a_callout_in_chinese_has_a_chinese_title() -> None:
    [block] = render_text("# 一\n\n二\n\n:::{note}\n三\n:::\n", "zh-Hans")[0].blocks
    assert '<p class="callout-title">说明</p>' in getattr(block, "html", "")


def test_lines_of_chinese_are_joined_without_a_space() -> None:
    finished, mistakes = render_text("# 一\n\n二，\n三 and\n四\n*五*\n\n> “六”\n> 七\n> [八\n](../c)\n", "zh-Hans")
    assert finished.lede_html == "二，三 and\n四<em>五</em>"
    assert finished.summary == "二，三 and 四五"
    assert "“六”七" in getattr(finished.blocks[0], "html", "")
    assert mistakes == [(10, 'there is no lesson "../c" (did you mean "../b"?)')]


def test_a_column_is_aligned_by_class_since_inline_styles_are_forbidden() -> None:
    html, _ = render("| a | b |\n|--:|:-:|\n| 1 | 2 |\n")
    assert '<td class="align-right">1</td>' in html
    assert '<td class="align-center">2</td>' in html
    assert "style=" not in html


def test_words_and_code_can_be_given_a_meaning() -> None:
    html, mistakes = render("[a *b*]{.forward} and `c`{.saved}")
    assert mistakes == []
    assert html == '<p><span class="forward">a <em>b</em></span> and <code class="saved">c</code></p>\n'


def test_display_maths_stands_in_a_block_of_its_own() -> None:
    html, mistakes = render("$$\nx\n$$\n")
    assert mistakes == []
    assert html.startswith('<div class="maths"><math display="block">')


def test_a_formula_can_begin_a_line_that_ends_in_a_digit() -> None:
    html, problems = render("$x$, since each layer multiplies by 0.1")
    assert problems == []
    assert html.startswith('<p><span class="whole"><math')


@pytest.mark.parametrize("text", ["Take $x$, then", "取 $x$，再", "Take $x$.", "(and $x$)."])
def test_a_mark_after_a_formula_stays_with_it(text: str) -> None:
    html, problems = render(text)
    assert problems == []
    _, _, after = html.partition("</math>")
    assert re.fullmatch(r"[,，.)]+</span>( then|再)?</p>\n", after)


def test_what_follows_a_formula_after_a_space_may_begin_a_line() -> None:
    html, _ = render("Take $x$ (or none)")
    assert "</math> (or none)" in html


def test_a_dollar_can_mean_money() -> None:
    html, mistakes = render("It costs \\$5, or 5$ and 6$.")
    assert mistakes == []
    assert html == "<p>It costs $5, or 5$ and 6$.</p>\n"


def test_code_shown_for_reading_is_escaped() -> None:
    html, mistakes = render("```python\na < b\n```\n")
    assert mistakes == []
    assert html == '<pre><code class="language-python">a &lt; b\n</code></pre>\n'
