"""Parses the Markdown of lessons: CommonMark with tables, `:::` directives, maths, footnotes and coloured spans. Raw HTML is off.

The tokens must go through `markup` before they are rendered. `markup` checks them, puts the HTML of formulas and directives into
`meta["html"]`, and removes attributes that a lesson may not set.
"""

from collections.abc import Callable, Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from app.lessons.markdown import footnotes

OPEN_DIRECTIVE = "container_directive_open"
CLOSE_DIRECTIVE = "container_directive_close"
MATHS = ("math_inline", "math_inline_double", "math_block")
PREPARED = (OPEN_DIRECTIVE, CLOSE_DIRECTIVE, "math_inline", "math_inline_double", *footnotes.TOKENS)
RULES: dict[str, Callable[[Token], str]] = {  # the HTML of tokens, by type
    **dict.fromkeys(PREPARED, lambda token: str(token.meta["html"])),
    "math_block": lambda token: f'<div class="maths">{token.meta["html"]}</div>\n',
    "link_close": lambda token: str(token.meta.get("html", "</a>")),
    "softbreak": lambda token: "" if token.meta.get("joined") else "\n",
    "table_open": lambda token: '<div class="table">\n<table>\n',
    "table_close": lambda token: "</table>\n</div>\n",
}


def parse_tokens(text: str, env: EnvType | None = None) -> list[Token]:
    """Return the tokens of a text. If `env` is given, the parser puts what it knows of the footnotes into it."""
    return PARSER.parse(f"{text}\n", {} if env is None else env)  # the plugin for directives reads past a last line without a newline


def parse_line(text: str) -> Token:
    """Return a line of text as one `inline` token."""
    return PARSER.parseInline(text)[0]


def render_tokens(tokens: Sequence[Token]) -> str:
    """Return the HTML of tokens that `markup` has checked and `references` has given targets."""
    return str(PARSER.renderer.render(tokens, PARSER.options, {}))


def walk(tokens: Sequence[Token]) -> Iterator[tuple[int, Token, str]]:
    """Yield every token in order: its line, the token, and the type of the block around it, "" at the top level.

    An inline token's children follow it.
    """
    line = 1
    parents: list[str] = []
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        if token.nesting < 0:
            parents.pop()
        parent = parents[-1] if parents else ""
        yield line, token, parent
        within = line
        for child in token.children or ():
            yield within, child, parent
            within += child.type in ("softbreak", "hardbreak") or child.content.count("\n")
        if token.nesting > 0:
            parents.append(token.type.removesuffix("_open"))


def _build() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.use(container_plugin, "directive", validate=lambda params, markup: True)
    # allow_digits=False would compare a formula at the text's beginning with the text's last character
    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_blank_lines=False, double_inline=True)
    parser.use(footnote_plugin, inline=False)
    parser.use(attrs_plugin, spans=True, after=("code_inline", "span_close"), allowed=("class",))
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # every link is resolved or refused later, with its line
    for kind, rule in RULES.items():
        parser.add_render_rule(kind, _render_by(rule))
    parser.add_render_rule("heading_open", _open_heading)
    parser.add_render_rule("heading_close", _close_heading)
    return parser


def _render_by(rule: Callable[[Token], str]) -> Callable[[RendererHTML, Sequence[Token], int, OptionsDict, EnvType], str]:
    """Return what the parser calls to render a token, when the token alone decides its HTML."""

    def render(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return rule(tokens[index])

    return render


def _open_heading(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """Return the start of a heading. A section's heading is a link to itself, so that its address can be copied."""
    link = f'<a class="to-section" href="#{tokens[index].attrs["id"]}">' if _links_to_itself(tokens[index : index + 2]) else ""
    return self.renderToken(tokens, index, options, env) + link


def _close_heading(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return ("</a>" if _links_to_itself(tokens[index - 2 : index]) else "") + self.renderToken(tokens, index, options, env)


def _links_to_itself(heading: Sequence[Token]) -> bool:
    """Return whether a heading, given as its first token and its content, has an address and no link in it."""
    opening, content = heading
    return "id" in opening.attrs and not any(child.type in ("link_open", "footnote_ref") for child in content.children or ())


PARSER = _build()
