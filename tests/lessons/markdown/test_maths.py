from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.lessons.markdown.maths import MathsError, render_maths

PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            [r"\frac", "{", "}", "^", "_", r"\sinh", r"\text{<b>}", r"\left(", r"\right)", "&", r"\\", "<", '"', r"\href{x}{y}", "x", " "]
        ),
        st.text(max_size=4),
    ),
    max_size=12,
)


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        ("x^2", "<msup><mi>x</mi><mn>2</mn></msup>"),
        (r"\mathrm{d}", '<mi mathvariant="normal">d</mi>'),
        (r"\mathrm{out}", "<mi>out</mi>"),
        (r"\text{a < b & c}", "<mtext>a\u00a0&lt;\u00a0b\u00a0&amp;\u00a0c</mtext>"),
        (r"\begin{aligned}a &= b\end{aligned}", '<mtd class="align-right"><mi>a</mi></mtd>'),
        (r"\bar{x}", '<mover accent="true">'),
        ("f'(x)", "<msup><mi>f</mi><mo>\u2032</mo></msup>"),
        (r"a\!b", '<mspace width="-0.167em" />'),
        (r"\sinh x", '<mi>sinh</mi><mo>\u2061</mo><mspace width="0.167em" /><mi>x</mi>'),
        (r"-\infty, x", "<mo>\u2212</mo><mi>\u221e</mi>"),
        (r"|x| \le 1", '<mo stretchy="false" form="prefix">|</mo><mi>x</mi><mo stretchy="false" form="postfix">|</mo>'),
        (r"\|x\|^2", '<msup><mo fence="false" stretchy="false" form="postfix">\u2016</mo><mn>2</mn></msup>'),
        ("p(a | b)", '<mi>a</mi><mo stretchy="false">|</mo><mi>b</mi>'),
        (r"2\sinh(x)", '<mn>2</mn><mspace width="0.167em" /><mi>sinh</mi><mo>\u2061</mo><mo stretchy="false">(</mo>'),
        (r"\sqrt{x}", '<msqrt><mrow><mi>x</mi></mrow><mspace width="0em" height="0.72em" depth="0.1em" /></msqrt>'),
        (r"\sqrt[3]{x}", '<mroot><mrow><mi>x</mi><mspace width="0em" height="0.72em" depth="0.1em" /></mrow><mn>3</mn></mroot>'),
        ("a = -1", '<mo>=</mo><mo form="prefix">\u2212</mo><mn>1</mn>'),
        ("a(-x)", '<mo stretchy="false">(</mo><mo form="prefix">\u2212</mo><mi>x</mi>'),
        ("f(x) - 1", '<mo stretchy="false">)</mo><mo>\u2212</mo>'),
        ("|x| - 1", '<mo stretchy="false" form="postfix">|</mo><mo>\u2212</mo>'),
        ("f' - 1", "</msup><mo>\u2212</mo>"),
        ("1/x", '<mo lspace="0" rspace="0">/</mo>'),
        ("x_{i - 1}", '<mo lspace="0" rspace="0">\u2212</mo>'),
        (r"A^{-\top}", '<mrow><mo lspace="0" rspace="0">\u2212</mo><mi mathvariant="normal">\u22a4</mi></mrow>'),
        (r"\partial L / \partial x", '<mi mathvariant="normal">\u2202</mi><mi>L</mi>'),
        (r"y = \sum_i x_i", '<mo>=</mo><msub><mo lspace="0">\u2211</mo>'),
        (r"a\sum_i x_i", "<mi>a</mi><msub><mo>\u2211</mo>"),
        (r"a + \dots + b", '<mo lspace="0" rspace="0">\u2026</mo>'),
        (r"\dots + b", "<mo>+</mo>"),
        (r"\log\sum_i x_i", '<mspace width="0.167em" /><msub><mo lspace="0">\u2211</mo>'),
        (r"a_1 \dots a_k", "<mo>\u2026</mo>"),
        (r"\text{log\_a}", "<mtext>log_a</mtext>"),
    ],
)
def test_latex_becomes_mathml_that_browsers_show(latex: str, expected: str) -> None:
    assert expected in render_maths(latex, display=False)


def test_display_maths_says_so() -> None:
    assert render_maths("x", display=True).startswith('<math display="block">')
    assert render_maths("x", display=False).startswith('<math display="inline">')


@pytest.mark.parametrize(
    ("latex", "message"),
    [
        (" ", "there is nothing between the dollars"),
        (r"\foo", r"unknown command \foo"),
        (r"\text{log\ a}", r'"log\ a" would be shown with its backslash'),
        ("{a", "a { is not closed"),
        ("a}", "a } closes nothing"),
        (r"\frac{a}", "a command has too few arguments"),
        ("x^", "expected something after ^ or _"),
        ("x_1_2", "two subscripts in a row: group them with braces"),
        ("x^1^2", "two superscripts in a row: group them with braces"),
        (r"\left( a", r"a \left has no \right"),
        (r"\sqrt", "it ends too early"),
        (r"\begin{matrix} a", r"an environment has no \end"),
        (r"\begin{alignd} a \end{alignd}", 'unknown environment "alignd" (did you mean "aligned"?)'),
        ("a & b", "a & is outside any environment with columns"),
        (r"a \\ b", r"a \\ is outside any environment with rows: use aligned"),
        (r"\boxed{x}", "browsers do not show <menclose>"),
        (r"\newcommand{\a}{b}\a", r"\newcommand is not available"),
        (r"\class{a}{b}", r"\class is not available"),
        (r"\color{red} x", 'mathcolor="red" is not available'),
        (r"\style{color:red}{x}", 'style="color:red" is not available'),
        (r"\href{javascript:alert(1)}{x}", 'href="javascript:alert(1)" is not available'),
        (r"\boldsymbol{x}", 'mathvariant="bold-italic" is not available'),
    ],
)
def test_what_cannot_be_shown_is_refused_with_the_reason(latex: str, message: str) -> None:
    with pytest.raises(MathsError) as raised:
        render_maths(latex, display=False)
    assert str(raised.value).startswith(message)


@settings(deadline=None)
@given(PIECES)
def test_any_text_gives_well_formed_mathml_or_a_mistake(pieces: list[str]) -> None:
    try:
        markup = render_maths("".join(pieces), display=False)
    except MathsError:
        return
    elements = list(fromstring(markup).iter())
    assert elements[0].tag == "math"
    assert not [element for element in elements if {"href", "style", "onclick", "mathcolor"} & set(element.attrib)]
