"""Markdown as lessons speak it: CommonMark with tables, `:::` directives, maths and coloured spans.

Parsing leaves judgement to `markup`, which must have gone over the tokens before they are rendered: it puts MathML into
`meta["html"]`, callouts' titles into the stream, and takes out every attribute that a lesson may not set. Raw HTML is off.
"""

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

OPEN_DIRECTIVE = "container_directive_open"
CLOSE_DIRECTIVE = "container_directive_close"
MATHS = ("math_inline", "math_inline_double", "math_block")


def parse_tokens(text: str) -> list[Token]:
    return PARSER.parse(f"{text}\n")  # the directives' plugin looks beyond a last line that has no end


def parse_line(text: str) -> Token:
    """One `inline` token."""
    return PARSER.parseInline(text)[0]


def render_tokens(tokens: Sequence[Token]) -> str:
    """HTML of tokens that `markup` has gone over."""
    return str(PARSER.renderer.render(tokens, PARSER.options, {}))


def _build() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.use(container_plugin, "directive", validate=lambda params, markup: True)
    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, allow_blank_lines=False, double_inline=True)
    parser.use(attrs_plugin, spans=True, after=("code_inline", "span_close"), allowed=("class",))
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # every link is resolved or refused later, with its line
    parser.add_render_rule(OPEN_DIRECTIVE, _render_callout)
    parser.add_render_rule(CLOSE_DIRECTIVE, _close_division)
    parser.add_render_rule("softbreak", _render_line_end)
    parser.add_render_rule("table_open", _render_table)
    parser.add_render_rule("table_close", _close_table)
    parser.add_render_rule("math_inline", _render_maths)
    parser.add_render_rule("math_inline_double", _render_maths)
    parser.add_render_rule("math_block", _render_maths_block)
    return parser


def _render_callout(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return f'<div class="callout {tokens[index].meta["callout"]}" role="note">\n'


def _close_division(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return "</div>\n"


def _render_line_end(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return "" if tokens[index].meta.get("joined") else "\n"


def _render_table(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return '<div class="table">\n<table>\n'


def _close_table(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return "</table>\n</div>\n"


def _render_maths(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return str(tokens[index].meta["html"])


def _render_maths_block(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return f'<div class="maths">{tokens[index].meta["html"]}</div>\n'


PARSER = _build()
