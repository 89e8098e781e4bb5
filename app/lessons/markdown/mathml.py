"""Adapts the MathML of latex2mathml to MathML Core, which browsers implement.

Spaces are as in TeX. There are none around a slash, in subscripts and superscripts, and around a sign that follows an operator.
"""

import html
import re
from xml.etree.ElementTree import Element

NAMED_SPACES = {
    "thinmathspace": "0.167em",
    "mediummathspace": "0.222em",
    "thickmathspace": "0.278em",
    "negativethinmathspace": "-0.167em",
    "negativemediummathspace": "-0.222em",
    "negativethickmathspace": "-0.278em",
}
DROPPED = ("rowspacing", "columnspacing")
ACCENTS = frozenset("\u00af\u02d9\u00a8^~\u02dc\u2192\u20d7\u00b4`\u02d8\u02c7\u2015")
UPRIGHT = re.compile(r"&#x000(?:4[1-9A-F]|5[0-9A]|6[1-9A-F]|7[0-9A]);")
FUNCTION = re.compile(r"[A-Za-z]{2,}")
BARS = ("|", "\u2016")
INFINITY = "\u221e"
PRIMES = ("\u2032", "\u2033", "\u2034", "\u2057")
APPLICATION = "\u2061"
LETTERS = ("\u2202", "\u22a4")  # ∂ and ⊤, which browsers would treat as operators with spaces
SIGNS = ("+", "-", "\u2212", "\u00b1", "\u2213")
DOTS = ("\u2026", "\u22ef")
OPENING = ("(", "[", "{")
CLOSING = (")", "]", "}", "!", *PRIMES, *DOTS)
LARGE = ("\u2211", "\u220f", "\u222b")
ROWS = ("math", "mrow", "mstyle", "mtd", "msqrt")
SCRIPTED = ("msub", "msup", "msubsup", "munder", "mover", "munderover")
ESCAPED = re.compile(r"\\([_%#$&])")
STRUT = {"width": "0em", "height": "0.72em", "depth": "0.1em"}
CONTENT = ("mi", "mn", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup")
THIN = "0.167em"


def set_for_browsers(element: Element) -> None:
    """Adapt `element` and everything inside it, in place."""
    for part in element.iter():
        _set_letters(part)
        _set_attributes(part)
    for part in element.iter():
        if part.tag == "mover" and len(part) == 2 and part[1].tag == "mo" and part[1].text in ACCENTS:
            part.set("accent", "true")
    for row in list(element.iter()):
        _join_letters(row)
        _pair_bars(row)
        if row.tag in ROWS:
            _space_operators(row)
            _space_functions(row)
        if row.tag in SCRIPTED and "accent" not in row.attrib:
            _close_up([part for part in row[1:] if part.text not in PRIMES])
        _raise_root(row)


def _set_letters(part: Element) -> None:
    """Correct the text of an element, and its tag where browsers would otherwise set it unlike LaTeX.

    A single letter in mathrm, which latex2mathml writes as an HTML reference, becomes an upright letter.
    """
    if part.tag == "mi" and UPRIGHT.fullmatch(part.text or ""):
        part.set("mathvariant", "normal")
    if part.text:
        part.text = html.unescape(part.text)
    if part.tag == "mtext":
        part.text = ESCAPED.sub(r"\1", part.text or "")
    if part.tag == "mo" and part.text in LETTERS:
        part.tag = "mi"
        part.attrib = {"mathvariant": "normal"}
    if part.tag == "mo" and FUNCTION.fullmatch(part.text or ""):
        _close_up([part])
    if part.tag == "mi" and part.text in PRIMES:
        part.tag = "mo"
    if part.tag == "mo" and part.text == INFINITY:
        part.tag = "mi"  # an operator would have spaces around it


def _join_letters(row: Element) -> None:
    """Join letters in mathrm, as in mathrm{out}, into one element, which browsers set as a word."""
    if row.tag == "mrow" and len(row) > 1 and all(part.tag == "mi" and part.get("mathvariant") == "normal" for part in row):
        row[0].text = "".join(part.text or "" for part in row)
        del row[0].attrib["mathvariant"]
        del row[1:]


def _pair_bars(row: Element) -> None:
    """Mark the bars of |x| as brackets, so that they get no spaces. If their number is odd, as in a condition, they stay operators."""
    cores = [_core(part) for part in row]
    bars = [part for part in cores if part.tag == "mo" and part.text in BARS and "form" not in part.attrib]
    for index, bar in enumerate(bars if len(bars) % 2 == 0 else ()):
        bar.set("form", "postfix" if index % 2 else "prefix")


def _core(part: Element) -> Element:
    return part[0] if part.tag in SCRIPTED and len(part) else part


def _space_operators(row: Element) -> None:
    """Remove spaces that browsers set and TeX does not.

    They are around a slash, dots, and a sign after an operator, and before a sum or integral that follows no term.
    """
    parts = [part for part in row if part.text != APPLICATION]
    cores = [_core(part) for part in parts]
    for index, core in enumerate(cores):
        before = index == 0 or _is_opener(parts[index - 1])
        after = index + 1 == len(cores) or cores[index + 1].tag == "mo"
        if core.tag != "mo":
            continue
        if core.text in SIGNS and index and before:
            core.set("form", "prefix")
        if core.text in LARGE and (before or parts[index - 1].tag == "mspace" or _is_function(parts[index - 1])):
            core.set("lspace", "0")
        if core.text == "/" or (core.text in DOTS and before and after):
            _close_up([core])


def _is_opener(part: Element) -> bool:
    """Return whether this element is an operator that a term follows. A closing bracket, for example, ends a term instead."""
    return part.tag == "mo" and part.text not in CLOSING and part.get("form") != "postfix"


def _close_up(parts: list[Element]) -> None:
    for operator in (one for part in parts for one in part.iter("mo")):
        operator.set("lspace", "0")
        operator.set("rspace", "0")


def _raise_root(root: Element) -> None:
    """Put a strut into a root. Without it, the root's sign, which is taller than most letters, would reach below the line."""
    if root.tag == "mroot" and len(root):
        row = Element("mrow")
        row.extend([root[0]] if root[0].tag != "mrow" else list(root[0]))
        root[0] = row
        root = row
    elif root.tag != "msqrt":
        return
    root.append(Element("mspace", STRUT))


def _set_attributes(part: Element) -> None:
    for name in DROPPED:
        part.attrib.pop(name, None)
    if align := part.attrib.pop("columnalign", None):
        part.set("class", f"align-{align}")
    if (width := part.get("width")) in NAMED_SPACES:
        part.set("width", NAMED_SPACES[width])


def _space_functions(row: Element) -> None:
    """Put a thin space on either side of a function's name, unless a bracket or an operator stands there.

    The invisible sign U+2061 after the name tells screen readers that the function is applied.
    """
    parts = list(row)
    for index in reversed(range(len(parts))):
        if not _is_function(parts[index]):
            continue
        following = parts[index + 1] if index + 1 < len(parts) else None
        if following is not None and (following.tag != "mo" or following.text in OPENING):
            applied = Element("mo")
            applied.text = APPLICATION
            row[index + 1 : index + 1] = [applied] if following.tag == "mo" else [applied, Element("mspace", width=THIN)]
        if index and (parts[index - 1].tag in CONTENT and not _is_function(parts[index - 1])):
            row.insert(index, Element("mspace", width=THIN))


def _is_function(part: Element) -> bool:
    core = _core(part)
    return core.tag in ("mi", "mo") and FUNCTION.fullmatch(core.text or "") is not None
