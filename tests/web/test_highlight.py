"""Coloured source: it is escaped, and its text is unchanged."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.web.views.lesson.highlight import render_lines


def plain(lines: tuple[str, ...]) -> str:
    return html.unescape(re.sub(r"</?span[^>]*>", "", "\n".join(lines)))


def test_parts_have_their_classes() -> None:
    (line,) = render_lines('def f(x): return x + 1, "a", None  # why\n')
    assert line == (
        '<span class="k">def</span> <span class="d">f</span>(x): <span class="k">return</span> x + <span class="n">1</span>, '
        '<span class="s">"a"</span>, <span class="n">None</span>  <span class="c"># why</span>'
    )


def test_a_decorator_is_one_colour() -> None:
    assert render_lines("@staticmethod\ndef f(): pass\n")[0] == '<span class="a">@staticmethod</span>'


def test_a_string_over_several_lines_is_coloured_on_each() -> None:
    assert render_lines('x = """a\nb"""\n') == ('x = <span class="s">"""a</span>', '<span class="s">b"""</span>')


@pytest.mark.parametrize("source", ["(", "x = '", "a = b <c>& d\n", "\tif:\n  x\n"])
def test_what_is_no_python_is_shown_all_the_same(source: str) -> None:
    assert plain(render_lines(source)) == source.rstrip("\n")


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\r\f\v\x1c\x1d\x1e\x85\u2028\u2029")))
def test_no_text_is_changed(source: str) -> None:
    assert plain(render_lines(source)) == source.rstrip("\n")
