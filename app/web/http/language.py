"""The language of an answer: `lang` in the body, else the language of the page's path, else `lang` in the query, else Accept-Language."""

from starlette.requests import HTTPConnection

from app.lessons.model.model import LANGS
from app.protocol.run import Lang

CHINESE = ("zh", "zh-cn", "zh-hans")


def request_lang(request: HTTPConnection) -> Lang:
    """Return the language of the answer. The body's `lang` is in `request.state.lang` once the body has been read."""
    for chosen in (getattr(request.state, "lang", None), path_lang(request.url.path), request.query_params.get("lang")):
        for lang in LANGS:
            if chosen == lang:
                return lang
    return preferred_lang(request.headers.get("accept-language", ""))


def path_lang(path: str) -> str:
    """Return the first part of a path. In the path of a page it is the language."""
    return path.split("/", 2)[1]


def preferred_lang(accept_language: str) -> Lang:
    """Return the language that an Accept-Language header prefers.

    It is Chinese if its weight exceeds the weights of all other languages, or equals the highest of them and Chinese is listed first.
    Otherwise it is English.
    """
    chinese = other = 0.0
    for entry in accept_language.split(","):
        tag, _, parameters = entry.strip().partition(";")
        weight = parse_weight(parameters)
        if is_chinese(tag.strip().lower()):
            chinese = max(chinese, weight)
        elif tag:
            other = max(other, weight)
    listed_first = is_chinese(accept_language.split(",")[0].partition(";")[0].strip().lower())
    return "zh-Hans" if chinese > other or (chinese == other > 0 and listed_first) else "en"


def is_chinese(tag: str) -> bool:
    return tag in CHINESE or tag.startswith("zh-hans-")


def parse_weight(parameters: str) -> float:
    """Return the weight (q) of an entry: 1 if it has none, 0 if it cannot be parsed."""
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return 0.0
