"""Converts LaTeX to MathML that browsers show and screen readers read. The result has only elements and attributes of an allow-list.

latex2mathml accepts almost anything. Faults of the LaTeX, such as an unknown command or half a fraction, are found in what it returns.
"""

import re
from functools import lru_cache
from xml.etree.ElementTree import Element, tostring

from latex2mathml import exceptions
from latex2mathml.converter import Converter

from app.lessons.markdown.mathml import set_for_browsers
from app.lessons.toml.problem import suggest

CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
ELEMENTS = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mstyle", "mpadded", "msqrt", "mtable", "mtr", "mtd", *CHILDREN}
ATTRIBUTES = {
    *("accent", "class", "depth", "display", "displaystyle", "fence", "form", "height", "linethickness", "lspace", "maxsize"),
    *("minsize", "rspace", "scriptlevel", "stretchy", "voffset", "width"),
}
CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # characters that XML does not allow
VALUE = re.compile(r"[-+a-z0-9. ]*")
ENVIRONMENTS = ("aligned", "array", "cases", "matrix", "bmatrix", "Bmatrix", "pmatrix", "smallmatrix", "vmatrix", "Vmatrix")
ENVIRONMENT = re.compile(r"\\begin\s*\{([^}]*)\}")
DEFINITION = re.compile(r"\\(?:(?:re)?new(?:command|environment)|def|class)\b")
REASONS = {
    exceptions.MissingEndError: r"an environment has no \end",
    exceptions.DoubleSubscriptsError: "two subscripts in a row: group them with braces",
    exceptions.DoubleSuperscriptsError: "two superscripts in a row: group them with braces",
    exceptions.MissingSuperScriptOrSubscriptError: "expected something after ^ or _",
    exceptions.ExtraLeftOrMissingRightError: r"a \left has no \right",
    exceptions.NoAvailableTokensError: "it ends too early",
}


class MathsError(Exception):
    """The LaTeX cannot be shown. The message says why."""


@lru_cache(4096)  # both languages have the same formulas
def render_maths(latex: str, *, display: bool) -> str:
    """Return the formula as a `<math>` element. `display` is true for a formula on a line of its own. Raises MathsError."""
    _check_source(latex)
    element = _convert(latex.replace(r"{aligned}", r"{split}"), "block" if display else "inline")
    _check_text(element)
    set_for_browsers(element)
    _check_elements(element)
    return tostring(element, encoding="unicode")


def _check_source(latex: str) -> None:
    if not latex.strip():
        raise MathsError("there is nothing between the dollars")
    _check_braces(latex)
    for name in ENVIRONMENT.findall(latex):
        if name not in ENVIRONMENTS:
            raise MathsError(f'unknown environment "{name}"{suggest(name, ENVIRONMENTS)}')
    if found := DEFINITION.search(latex):
        raise MathsError(f"{found[0]} is not available")


def _check_braces(latex: str) -> None:
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", latex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            raise MathsError("a } closes nothing")
    if depth:
        raise MathsError("a { is not closed")


def _convert(latex: str, display: str) -> Element:
    try:
        element = Converter(display=display).convert_to_element(latex)
    except Exception as error:  # its exceptions have no common base class, and some mistakes raise IndexError and the like
        reason = next((words for kind, words in REASONS.items() if isinstance(error, kind)), "this LaTeX is not understood")
        raise MathsError(reason) from error
    del element.attrib["xmlns"]
    return element


def _check_text(element: Element) -> None:
    """Raise MathsError for an unknown command, which latex2mathml leaves as text, and for a column or row outside an environment."""
    for part in element.iter():
        text = part.text or ""
        if part.tag != "mtext" and text.startswith("\\"):
            raise MathsError(f"unknown command {text}")
        if part.tag == "mi" and text == "&":
            raise MathsError("a & is outside any environment with columns")
        if part.tag == "mspace" and part.get("linebreak"):
            raise MathsError(r"a \\ is outside any environment with rows: use aligned")


def _check_elements(element: Element) -> None:
    for part in element.iter():
        if part.tag not in ELEMENTS:
            raise MathsError(f"browsers do not show <{part.tag}>")
        if len(part) != CHILDREN.get(part.tag, len(part)):
            raise MathsError("a command has too few arguments")
        if CONTROL.search(part.text or ""):
            raise MathsError("it holds a control character")
        shown = (part.text or "").replace("\u00a0", " ")
        if "\\" in shown and shown != "\\":
            raise MathsError(f'"{shown}" would be shown with its backslash')
        for name, value in part.attrib.items():
            normal = name == "mathvariant" and value == "normal"
            if not normal and (name not in ATTRIBUTES or not VALUE.fullmatch(value)):
                raise MathsError(f'{name}="{value}" is not available: fonts are \\mathbf, \\mathrm and the like, colours are spans')
