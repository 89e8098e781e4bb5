"""What the codes of checks' messages say, in the language of the request."""

from app.locale.messages import mark, translator
from app.protocol.grading import Message
from app.protocol.run import Lang

WORDS: dict[str, str] = {}  # code → msgid, with the message's values in braces
UNKNOWN = mark("This check has not passed.")


def word(message: Message, lang: Lang) -> str:
    """One message as plain text. A code that has no words is said in general."""
    return translator(lang)(WORDS.get(message.code, UNKNOWN)).format_map(message.values)
