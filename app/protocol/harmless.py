"""Harmless text: what a program wrote, without characters that act on the text around them or on a terminal.

Control characters become their pictures (␛). The replacement character stands for whatever changes the direction of text, separates lines
where no line ends, or is no character. Zero-width joiners stay: emoji and the scripts of India are written with them, and they change
nothing but the characters that they join.
"""

import re

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# C1 controls; marks, embeddings, overrides and isolates of direction; line and paragraph separators; noncharacters
_REPLACED = "\x80-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufdd0-\ufdef\ufffe\uffff"
_HARMLESS = {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"} | {0x7F: 0x2421}
_HARMLESS |= dict.fromkeys(map(ord, re.findall(f"[{_REPLACED}]", "".join(map(chr, range(0x80, 0x10000))))), ord(_REPLACEMENT))

# The same in the text of a JSON document, as UTF-8 or escaped. An escape is read as a whole, so that an escaped backslash hides none.
_JSON = re.compile(
    rb"(?:\\r|\\u000[dD])(?:\\n|\\u000[aA])?|\\u[0-9a-fA-F]{4}|\\[^u]"
    rb"|\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xaf]|\xef\xb7[\x90-\xaf]|\xef\xbf[\xbe\xbf]"
)
_ESCAPES = (rb"\u", rb"\r", rb"\b", rb"\f")
_BEGINNINGS = (b"\xc2", b"\xd8\x9c", b"\xe2\x80", b"\xe2\x81", b"\xef\xb7", b"\xef\xbf")
_NAMED = {rb"\b": "\b", rb"\f": "\f"}


def harmless(text: str) -> str:
    """Return the text without harmful characters and lone surrogates. Each carriage return becomes a line end."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_HARMLESS)
    return text.encode("utf-8", "replace").decode()


def harmless_json(data: bytes) -> bytes:
    """Return the JSON document with every string harmless, keys included. Bytes that are no JSON stay invalid."""
    return _JSON.sub(_replace, data) if _is_suspect(data) else data


def _is_suspect(data: bytes) -> bool:
    """Return whether there may be something to replace. It is fast for nearly all records, which have nothing."""
    if b"\\" in data and any(escape in data for escape in _ESCAPES):
        return True
    return b"\x7f" in data or (not data.isascii() and any(beginning in data for beginning in _BEGINNINGS))


def _replace(match: "re.Match[bytes]") -> bytes:
    found = match[0]
    if found.startswith((rb"\r", rb"\u000d", rb"\u000D")):
        return rb"\n"
    if found.startswith(rb"\u"):
        character = chr(int(found[2:6], 16))
    elif found.startswith(b"\\"):
        character = _NAMED.get(found, "")
    else:
        character = found.decode()
    becomes = _HARMLESS.get(ord(character)) if character else None
    return found if becomes is None else chr(becomes).encode()
