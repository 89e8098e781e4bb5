"""Plain text of HTML that app.lessons and app.pitfalls rendered."""

import re
from html import unescape

_MATHS = re.compile(r"<math.*?</math>", re.DOTALL)
_BLOCK_END = re.compile(r"</(?:p|li|h[1-6]|pre|td|th|blockquote|dd)>")
_TAG = re.compile(r"<[^>]*>")
_CODE = re.compile(r"<code>([^<]*)</code>")
_NAME = re.compile(r"[^\W\d]\w{2,}")


def strip_html(html: str) -> str:
    """Return the text without tags. An ellipsis replaces each formula, which makes no sense as a row of characters."""
    return " ".join(unescape(_TAG.sub("", _BLOCK_END.sub(" ", _MATHS.sub("…", html)))).split())


def list_code_names(html: str) -> list[str]:
    """Return the identifiers of at least three characters in the text's inline code, in order."""
    return [name for code in _CODE.findall(html) for name in _NAME.findall(unescape(code))]
