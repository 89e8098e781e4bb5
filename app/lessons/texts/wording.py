"""Finds wordings in Chinese texts that docs/authoring.md forbids, if a pattern can find them.

Code is ignored. In formulas, only products of numbers are checked.
"""

import re
from collections.abc import Iterator

FENCE = re.compile(r"```.*", re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$\n]*\$", re.DOTALL)
NUMBERS = re.compile(r"\d\s*(?:·|\\cdot)\s*\(?[-−]?\d")
SHOWN = 12  # characters on either side of the fault that a message shows

RULES = (
    (re.compile(r"(?<![\w.])[-−]?\d[\d.]*\s*对\s*[-−]?\d"), "both sides of a comparison by name, such as 数值法得 0，backward 得 1"),
    (
        re.compile(r"普通的 ?(?:Python )?数(?![值据组学])|Python 的?数(?![值据组学])"),
        "标量 for a tensor, Python 数值 for a number of Python",
    ),
    (re.compile(r"记录器[^。，；]{0,12}跟踪"), "监视 for what a recorder does"),
    (re.compile(r"累积[^。，；]{0,4}梯度|梯度[^。，；]{0,4}累积"), "累加 for what gradients do"),
    (re.compile(r"：[^。！？\n]*："), "one colon a sentence at most"),
    (re.compile(r"^(?:不?成立|只?对了|是 \d)"), "a sentence with a subject, such as 这种说法不成立"),
    (re.compile(r"它[^。！？\n]*它[^。！？\n]*它|被[^。，；！？\n]*被"), "fewer of 它 and 被"),
    (re.compile(r"[\u4e00-\u9fff][,;:!?](?=[\u4e00-\u9fff\s]|$)"), "full-width punctuation"),
    (re.compile(r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]"), "a space between Chinese and Latin words"),
    (re.compile(r"^#+ 当.*时$"), "a heading without 当……时"),
)


def find_wording_faults(source: str) -> Iterator[str]:
    """Yield a message for each fault in a Chinese paragraph or title. It says what is expected in place of the fault."""
    text = CODE.sub("C", FENCE.sub(" ", source))
    if found := NUMBERS.search(text):
        yield _tell("× between numbers", text, found)
    text = FORMULA.sub("M", text).strip()
    for pattern, expected in RULES:
        if found := pattern.search(text):
            yield _tell(expected, text, found)


def _tell(expected: str, text: str, found: re.Match[str]) -> str:
    return f"expected {expected}, got {text[max(0, found.start() - SHOWN) : found.end() + SHOWN].strip()!r}"
