"""Renders pages. A page is rendered completely on the server; its script adds to it."""

import re
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from app.classroom.store.times import to_datetime
from app.lessons.model.model import LANGS
from app.locale.messages import Translate, translator
from app.protocol.run import Lang
from app.settings import PROJECT
from app.web.http.assets import load_assets
from app.web.http.language import request_lang
from app.web.pages.own_classes import own_classes_of
from app.web.services import services_of

HOST_NAME = re.compile(r"[0-9a-z._-]{1,253}|\[[0-9a-f:.]{2,45}\]")
THEMES = ("light", "dark")
NAMES: dict[Lang, str] = {"en": "English", "zh-Hans": "中文"}


def origin_of(request: Request) -> str:
    """Return the server's address as the browser knows it. A trusted proxy names the scheme; the host has been checked."""
    return f"{request.url.scheme}://{request.headers['host'].lower()}"


def render(
    request: Request,
    lang: Lang,
    template: str,
    *,
    title: str,
    description: str,
    script: str,
    path: str | None,
    term: str = "",
    indexed: bool = True,
    status: int = 200,
    retry_seconds: int = 0,
    data: Mapping[str, Any] | None = None,
    **context: Any,
) -> Response:
    """Render a page. `script` is the name of its script in the manifest; `description` is for search engines and previews.

    - `path` is its address without the language, including a query that the other language needs. If it is None, as for an error or a page
      in one language only, the links to the languages lead to the home page.
    - `term` is the word that people search for to find the page. It may be empty.
    - `indexed` says that search engines may list it.
    - `retry_seconds` is the value of Retry-After, 0 for none.
    - `data` is the part of the learner's work that the page's script gets.

    A page with `data`, or for a learner in a class, is stored in no cache, not even the browser's. Otherwise the Back button would show an
    earlier state, and would show it to the next person at the computer, too.
    """
    theme = request.cookies.get("theme", "")
    page = {
        "lang": lang,
        "title": title,
        "term": "" if term.lower() in title.lower() else term,
        "description": description,
        "script": script,
        "alternates": [{"lang": one, "name": name, "url": f"/{one}/{path or ''}"} for one, name in NAMES.items()],
        "origin": origin_of(request),
        "path": None if path is None else path.partition("?")[0],
        "indexed": indexed,
        "theme": theme if theme in THEMES else "",  # otherwise what the system prefers
    }
    services = services_of(request)
    assets = load_assets(services.settings.static_folder)
    words = translator(lang)
    own_classes = own_classes_of(request)
    messages = assets.words(lang, script) | (assets.words(lang, "in-class.js") if own_classes.memberships else {})
    script_data = {"lang": lang, "messages": messages, **(data or {})}
    given = {"page": page, "assets": assets, "data": script_data, "nonce": request.state.nonce, "_": words, "fill": partial(fill, words)}
    principal = getattr(request.state, "principal", None)
    signed_in = principal.person if principal else None
    given |= {"unconfined": services.unconfined, "author": services.author, "signed_in": signed_in, "own_classes": own_classes}
    text = load_templates().get_template(template).render(status=status, **given, **context)
    caching = "private, no-cache" if data is None and not own_classes.memberships else "no-store"
    headers = {"content-language": lang, "cache-control": caching, "vary": "cookie"}
    return HTMLResponse(text, status, headers | ({"retry-after": str(retry_seconds)} if retry_seconds else {}))


def render_error(request: Request, status: int, code: str, message: str, retry_seconds: int = 0) -> Response:
    """Return an error page. `message` is already translated. The page is in the language of the path if the path has one."""
    lang = next((lang for lang in LANGS if request.url.path.startswith(f"/{lang}/")), None) or request_lang(request)
    return render(
        request,
        lang,
        "error.html",
        title=message.rstrip(".。"),
        description=message,
        script="plain.js",
        path=None,
        status=status,
        retry_seconds=retry_seconds,
        code=code,
        message=message,
    )


def render_wrong_host(host: str, nonce: str) -> Response:
    """Return the page for a host that is not allowed. The page names the setting that allows hosts.

    It contains `host` only if that can be the name of a host.
    """
    name = host if HOST_NAME.fullmatch(host) else ""
    translations = {lang: translator(lang) for lang in LANGS}
    text = load_templates().get_template("wrong_host.html").render(name=name, nonce=nonce, langs=LANGS, translations=translations)
    return HTMLResponse(text, 400, {"cache-control": "no-store"})


def fill(words: Translate, message: str, /, **values: object) -> str:
    """Translate a message and fill values in."""
    return words(message).format(**values)


@cache
def load_templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(PROJECT / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["to_datetime"] = to_datetime
    environment.policies["json.dumps_kwargs"] = {"sort_keys": True, "ensure_ascii": False}  # Chinese takes half as many bytes
    return environment
