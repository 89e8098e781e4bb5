"""The routes of the pages. Each page is rendered completely on the server."""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from app.classroom.store.stored_work_types import CourseWork, LessonWork
from app.classroom.store.times import now_ms
from app.classroom.work import progress
from app.lessons.model.model import LANGS
from app.locale.messages import Translate, mark, translator
from app.protocol.run import DEFAULT_RUNTIME, Lang, RuntimeName
from app.runner.client import Runner, RunnerError
from app.settings import PROJECT
from app.web.http.assets import Assets, load_assets
from app.web.http.language import request_lang
from app.web.pages.stored_work import describe_chapter_work, describe_course_work, describe_lesson_work, list_reviews, read_work
from app.web.services import CatalogueDep, LangDep, RunnerDep, services_of
from app.web.views.contexts import Page, link_around, link_chapter, list_alternates
from app.web.views.glossary_page import view_glossary, view_terms
from app.web.views.lesson_view import view_lesson
from app.web.views.what_works import RUNTIME_NAMES, view_what_works

HOST_NAME = re.compile(r"[0-9a-z._-]{1,253}|\[[0-9a-f:.]{2,45}\]")
THEMES = ("light", "dark")
TAGLINE = mark("Learn PyTorch’s autograd by running real code: see the graph, the gradients and the checks.")
PLAYGROUND = mark("Run any PyTorch program and see its backward graph and its gradient checks.")
GLOSSARY = mark("What the words of this course mean, each in a sentence or two.")
MINE = mark("What is kept of your work, how to take it with you, and how to delete it.")
WHAT_WORKS = mark("What programs can use here: Python, frameworks, libraries and limits, and what to do instead of what does not work.")


async def get_map(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """The course map: chapters and lessons."""
    words = translator(lang)
    page = make_page(request, lang, title=words("Course map"), description=words(TAGLINE), script="map.js", path="")
    chapters = [link_chapter(chapter, lang) for chapter in catalogue.course.chapters]
    done = await read_work(request, CourseWork(), progress.read_course_work, now_ms=now_ms())
    reviews = list_reviews(catalogue, done, lang)
    data = {"kept": describe_course_work(done)}
    return render(request, "map.html", page, data=data, chapters=chapters, has_glossary=bool(catalogue.glossary.terms), reviews=reviews)


async def get_playground(request: Request, lang: LangDep, runner: RunnerDep) -> Response:
    """The playground, where learners run programs of their own in any installed runtime."""
    words = translator(lang)
    page = make_page(request, lang, title=words("Playground"), description=words(PLAYGROUND), script="playground.js", path="playground")
    runtimes = await find_runtimes(runner)
    return render(request, "playground.html", page, lede=invite(runtimes, words), runtimes=runtimes)


def invite(runtimes: list[RuntimeName], words: Translate) -> str:
    """Return the sentence that invites learners to run programs of the installed frameworks."""
    names = [RUNTIME_NAMES[runtime] for runtime in runtimes]
    row = names[0]
    for name in names[1:-1]:
        row = words("{row}, {next}").format(row=row, next=name)
    if len(names) > 1:
        row = words("{row} or {last}").format(row=row, last=names[-1])
    return words("Run any {frameworks} program. Its graphs and its gradient checks appear beside it.").format(frameworks=row)


async def get_what_works(request: Request, lang: LangDep, runner: RunnerDep) -> Response:
    """What programs can use, what they cannot, and what to do instead.

    Facts that only the runner knows are missing while the runner does not answer.
    """
    words = translator(lang)
    try:
        status = await runner.status()
    except RunnerError:
        status = None
    page = make_page(request, lang, title=words("What works here"), description=words(WHAT_WORKS), script="plain.js", path="what-works")
    return render(request, "what_works.html", page, works=view_what_works(status, services_of(request).settings.limits, words))


async def get_glossary(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Every term of the course."""
    words = translator(lang)
    page = make_page(request, lang, title=words("Glossary"), description=words(GLOSSARY), script="plain.js", path="glossary")
    return render(request, "glossary.html", page, terms=view_glossary(catalogue, lang))


async def get_mine(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """A learner's stored work: its size, the learner's progress, and export, import and deletion."""
    words = translator(lang)
    page = make_page(request, lang, title=words("My work"), description=words(MINE), script="mine.js", path="mine")
    chapters = [link_chapter(chapter, lang) for chapter in catalogue.course.chapters]
    done = await read_work(request, CourseWork(), progress.read_course_work, now_ms=now_ms())
    kept = describe_course_work(done)
    data = {"kept": kept and kept | {"standings": done and done.standings}}
    return render(request, "mine.html", page, data=data, chapters=chapters)


async def find_runtimes(runner: Runner) -> list[RuntimeName]:
    """Return the installed runtimes, or the default one if the runner does not answer."""
    try:
        status = await runner.status()
    except RunnerError:
        return [DEFAULT_RUNTIME]
    return [runtime.name for runtime in status.runtimes if runtime.installed] or [DEFAULT_RUNTIME]


async def get_chapter(request: Request, chapter: str, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """A chapter's own page: what it teaches, what learners can do after it, and its lessons."""
    found = catalogue.chapter(chapter)
    if found is None:
        raise HTTPException(404)
    links = link_chapter(found, lang)
    page = make_page(request, lang, title=links.title, description=links.promise or links.title, script="map.js", path=found.id)
    around = link_around(catalogue.around(found), lang)
    done = await read_work(request, CourseWork(), progress.read_course_work, now_ms=now_ms())
    return render(request, "chapter.html", page, data={"kept": describe_course_work(done)}, chapter=links, around=around)


async def get_lesson(request: Request, chapter: str, lesson: str, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """A lesson, with its chapter beside it."""
    path = f"{chapter}/{lesson}"
    author = services_of(request).author
    found, version = catalogue.lesson(path), author.version(path, lang) if author else None
    if author and version is None and any(problem.file.startswith(f"{path}/") for problem in catalogue.problems):
        page = make_page(request, lang, title=path, description=path, script="plain.js", path=path)
        return render(request, "unloaded.html", page)
    if found is None:
        raise HTTPException(404)
    shown = version.lesson if version else found
    text = shown.texts[lang]
    page = make_page(request, lang, title=text.title, description=text.summary, script="lesson.js", path=found.path)
    chapter_links = link_chapter(catalogue.chapter_of(found), lang, found)
    settings = services_of(request).settings
    view = view_lesson(shown, lang, settings.limits, settings.lesson_factor)
    terms = view_terms(catalogue, text.terms, lang)
    done = await read_work(request, LessonWork(), progress.read_lesson_work, lesson=path, now_ms=now_ms())
    course = await read_work(request, CourseWork(), progress.read_course_work, now_ms=now_ms())
    data = {"kept": describe_lesson_work(found, done, lang), "around": describe_chapter_work(catalogue.chapter_of(found), course)}
    pages = link_around(catalogue.around(found), lang)
    since = datetime.fromtimestamp(version.since, UTC) if version else None
    return render(
        request,
        "lesson.html",
        page,
        data=data,
        lesson=view,
        chapter=chapter_links,
        around=pages,
        terms=terms,
        since=since,
        is_stale=version is not None and version.is_stale,
    )


def render_error(request: Request, status: int, code: str, message: str) -> Response:
    """Return an error page. `message` is already translated. The page is in the language of the path if the path has one."""
    lang = next((lang for lang in LANGS if request.url.path.startswith(f"/{lang}/")), None) or request_lang(request)
    page = make_page(request, lang, title=message.rstrip(".。"), description=message, script="plain.js", path="")
    return render(request, "error.html", page, status=status, code=code, message=message)


def render_wrong_host(host: str, nonce: str) -> Response:
    """Return the page for a host that is not allowed. The page names the setting that allows hosts.

    It repeats `host` only if that can be the name of a host.
    """
    name = host if HOST_NAME.fullmatch(host) else ""
    translations = {lang: translator(lang) for lang in LANGS}
    text = load_templates().get_template("wrong_host.html").render(name=name, nonce=nonce, langs=LANGS, translations=translations)
    return HTMLResponse(text, 400, {"cache-control": "no-store"})


def make_page(request: Request, lang: Lang, *, title: str, description: str, script: str, path: str) -> Page:
    theme = request.cookies.get("theme", "")
    return Page(
        lang=lang,
        title=title,
        description=description,
        script=script,
        alternates=list_alternates(path),
        theme=theme if theme in THEMES else "",
    )


def render(
    request: Request, template: str, page: Page, *, status: int = 200, data: Mapping[str, Any] | None = None, **context: Any
) -> Response:
    """Render a page. `data` is the part of the learner's work that the page's script gets.

    A page with `data` is stored in no cache, not even the browser's. Otherwise, the Back button would show an earlier state, and would show
    this learner's work to the next person at the computer.
    """
    services = services_of(request)
    assets = load_assets(services.settings.static_folder)
    words = translator(page.lang)
    script_data = {**page_data(page, assets), **(data or {})}
    given = {"page": page, "assets": assets, "data": script_data, "nonce": request.state.nonce, "_": words, "fill": fill(words)}
    text = (
        load_templates()
        .get_template(template)
        .render(status=status, unconfined=services.unconfined, author=services.author, **given, **context)
    )
    caching = "private, no-cache" if data is None else "no-store"
    return HTMLResponse(text, status, {"content-language": page.lang, "cache-control": caching, "vary": "cookie"})


def page_data(page: Page, assets: Assets) -> dict[str, Any]:
    """Return what every page gives its script."""
    return {"lang": page.lang, "messages": assets.words(page.lang)}


def fill(words: Translate) -> Callable[..., str]:
    """Return a function that translates a message and fills values in."""

    def fill_in(message: str, **values: object) -> str:
        return words(message).format(**values)

    return fill_in


@cache
def load_templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(PROJECT / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


PAGES: dict[str, Callable[..., Awaitable[Response]]] = {
    "/": get_map,
    "/playground": get_playground,
    "/what-works": get_what_works,
    "/glossary": get_glossary,
    "/mine": get_mine,
    "/{chapter}": get_chapter,
    "/{chapter}/{lesson}": get_lesson,
}
router = APIRouter(include_in_schema=False)
for lang in LANGS:
    for path, endpoint in PAGES.items():
        router.add_api_route(f"/{lang}{path}", endpoint, methods=["GET", "HEAD"])
