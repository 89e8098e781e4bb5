"""Makes latex2mathml's MathML fit MathML Core, which is what browsers implement: upright letters, accents, bars, function names, spaces."""

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
CONTENT = ("mi", "mn", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup")
THIN = "0.167em"


def set_for_browsers(element: Element) -> None:
    """Changes the tree in place."""
    for part in element.iter():
        _set_letters(part)
        _set_attributes(part)
    for part in element.iter():
        if part.tag == "mover" and len(part) == 2 and part[1].tag == "mo" and part[1].text in ACCENTS:
            part.set("accent", "true")
    for row in list(element.iter()):
        _join_letters(row)
        _pair_bars(row)
        if row.tag in ("math", "mrow", "mstyle", "mtd", "msqrt"):
            _space_functions(row)


def _set_letters(part: Element) -> None:
    r"""Its text is HTML; a single letter written as a reference came from \mathrm, and must not be slanted."""
    if part.tag == "mi" and UPRIGHT.fullmatch(part.text or ""):
        part.set("mathvariant", "normal")
    if part.text:
        part.text = html.unescape(part.text)
    if part.tag == "mo" and FUNCTION.fullmatch(part.text or ""):
        part.set("lspace", "0")
        part.set("rspace", "0")
    if part.tag == "mi" and part.text in PRIMES:
        part.tag = "mo"
    if part.tag == "mo" and part.text == INFINITY:
        part.tag = "mi"  # an operator would have spaces around it


def _join_letters(row: Element) -> None:
    r"""\mathrm{out} is one word, not three letters."""
    if row.tag == "mrow" and len(row) > 1 and all(part.tag == "mi" and part.get("mathvariant") == "normal" for part in row):
        row[0].text = "".join(part.text or "" for part in row)
        del row[0].attrib["mathvariant"]
        del row[1:]


def _pair_bars(row: Element) -> None:
    """|x|: a bar that closes is no operator between two terms, which would have spaces around it. One bar alone is: of a condition."""
    cores = [part[0] if part.tag in ("msub", "msup", "msubsup") and len(part) else part for part in row]
    bars = [part for part in cores if part.tag == "mo" and part.text in BARS and "form" not in part.attrib]
    for index, bar in enumerate(bars if len(bars) % 2 == 0 else ()):
        bar.set("form", "postfix" if index % 2 else "prefix")


def _set_attributes(part: Element) -> None:
    for name in DROPPED:
        part.attrib.pop(name, None)
    if align := part.attrib.pop("columnalign", None):
        part.set("class", f"align-{align}")
    if (width := part.get("width")) in NAMED_SPACES:
        part.set("width", NAMED_SPACES[width])


def _space_functions(row: Element) -> None:
    """sinh x: a thin space on either side of a function's name, where no bracket or operator stands, and the applying said to readers."""
    parts = list(row)
    for index in reversed(range(len(parts))):
        if not _is_function(parts[index]):
            continue
        following = parts[index + 1] if index + 1 < len(parts) else None
        if following is not None and (following.tag != "mo" or _is_opening(following)):
            added = [_apply()] if following.tag == "mo" else [_apply(), Element("mspace", width=THIN)]
            row[index + 1 : index + 1] = added
        if index and (parts[index - 1].tag in CONTENT and not _is_function(parts[index - 1])):
            row.insert(index, Element("mspace", width=THIN))


def _is_function(part: Element) -> bool:
    if part.tag in ("msub", "msup", "msubsup", "munder") and len(part):
        return _is_function(part[0])
    return part.tag in ("mi", "mo") and FUNCTION.fullmatch(part.text or "") is not None


def _is_opening(part: Element) -> bool:
    return part.text in ("(", "[", "{")


def _apply() -> Element:
    element = Element("mo")
    element.text = APPLICATION
    return element
