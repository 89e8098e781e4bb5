"""The values of a check that did not pass: what the program was given, what was expected, what it returned, each with a title.

A value that the check's message mentions is left out, and so is one that its Jacobians show, so that nothing is said twice.
"""

import msgspec

from app.grading.words import WORDS, said_value
from app.locale.messages import mark, translator
from app.protocol.grading import Message
from app.protocol.run import Lang

_TITLES = {  # in the order in which they are shown, by the name of the value in the message
    "arguments": mark("given"),
    "incoming": mark("incoming gradient"),
    "expected": mark("expected"),
    "got": mark("got"),
    "numerical": mark("numerically"),
    "analytical": mark("from backward"),
}
_SHOWN = ("numerical", "analytical")  # by the Jacobians, where they are told
_AUTOGRADS = mark("from autograd")  # in place of "from backward" where autograd differentiated the gradient


class Fact(msgspec.Struct, kw_only=True):
    """`title`: what it is, in the language of the request; `value`: plain text, partly the learner's."""

    title: str
    value: str


def list_facts(message: Message, lang: Lang) -> list[Fact]:
    """The facts of a check that did not pass. None of a check whose author has words for it."""
    words = WORDS.get(message.code)
    if words is None:
        return []
    translate = translator(lang)
    titles = _TITLES | ({"analytical": _AUTOGRADS} if message.code.startswith("gradgradcheck") else {})
    return [
        Fact(title=translate(title), value=said_value(message.values[name], lang))
        for name, title in titles.items()
        if name in message.values and f"{{{name}}}" not in words and not (message.gradcheck and name in _SHOWN)
    ]
