"""The facts of a failed check: what the program was given, what was expected and what it returned, each with a title.

A value is left out if the check's message or the Jacobians already show it.
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
_SHOWN = ("numerical", "analytical")  # values that the Jacobians show, if the message has them
_AUTOGRADS = mark("from autograd")  # in place of "from backward" where autograd differentiated the gradient


class Fact(msgspec.Struct, kw_only=True):
    """One value of a failed check. `title` is in the language of the request; `value` is plain text that may come from the learner."""

    title: str
    value: str


def list_facts(message: Message, lang: Lang) -> list[Fact]:
    """Return the facts of a failed check. There are none if the check's author chose the message's code."""
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
