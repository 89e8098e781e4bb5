"""The dependencies of a class's pages (the teacher and the class), and functions that render the pages and change the class."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

from fastapi import Depends, Request
from sqlalchemy import Connection
from starlette.responses import RedirectResponse, Response

from app.classroom.classes.class_faults import BadClassValue, NoClass
from app.classroom.classes.school_classes import SchoolClass, find_class
from app.locale.messages import translator
from app.protocol.run import Lang
from app.web.pages.rendering import render
from app.web.services import PersonDep, Services, ServicesDep

T = TypeVar("T")
P = ParamSpec("P")
MOST_ID = 2**31 - 1  # the largest id that a column can have


async def get_opened(services: ServicesDep, teacher: PersonDep, class_id: int) -> SchoolClass:
    """Return the class of the address. Raises NoClass if the person does not teach it."""
    return await services.database.read(find_class, teacher.id, check_id(class_id))


OpenedDep = Annotated[SchoolClass, Depends(get_opened)]


async def get_changing(services: ServicesDep, teacher: PersonDep, class_id: int) -> SchoolClass:
    """Return the class of the address. Raises NoClass, and AssistantOnly if the person may not change it."""
    return await services.database.read(find_class, teacher.id, check_id(class_id), to_change=True)


ChangingDep = Annotated[SchoolClass, Depends(get_changing)]


def check_id(given: int) -> int:
    """Return the id that an address has. Raises NoClass if it is larger than an id can be."""
    if given > MOST_ID:
        raise NoClass
    return given


async def change_class_rows(services: Services, change: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call `change(connection, ...)` and return its result once it is committed, even if the client leaves meanwhile."""
    return await asyncio.shield(asyncio.wrap_future(services.database.enqueue(change, *args, **kwargs)))


def render_class(
    request: Request,
    lang: Lang,
    school_class: SchoolClass,
    tab: str,
    template: str,
    *,
    title: str,
    script: str = "teaching.js",
    under: str = "",
    status: int = 200,
    fault: str = "",
    done: Mapping[str, str] | None = None,
    data: dict[str, Any] | None = None,
    **context: Any,
) -> Response:
    """Render a page of a class. `title` is a msgid, and `done` maps what the query may say was done to a msgid.

    `under` follows the address of the tab in the page's address. It must not contain a member's name.
    """
    words = translator(lang)
    path = f"teach/{school_class.id}" + ("" if tab == "now" else f"/{tab}{under}")
    return render(
        request,
        lang,
        template,
        title=words(title),
        description=words(title),
        script=script,
        path=path,
        indexed=False,
        status=status,
        data=data or {},
        school_class=school_class,
        tab=tab,
        fault=fault,
        done=words((done or {}).get(request.query_params.get("done", ""), "")),
        may_change=school_class.role == "instructor",
        **context,
    )


def go_to_tab(lang: Lang, class_id: int, tab: str, done: str = "", at: str = "") -> Response:
    """Redirect to a page of a class, which says what was done, and scrolls to the element `at`."""
    query = f"?done={done}" if done else ""
    return RedirectResponse(f"/{lang}/teach/{class_id}/{tab}{query}{f'#{at}' if at else ''}", 303, {"cache-control": "no-store"})


def say_bad_value(fault: BadClassValue, lang: Lang) -> str:
    """Return a sentence that says what was expected instead of a wrong value."""
    words = translator(lang)
    return words("Expected {expected}.").format(expected=words(fault.expected).format(**fault.values))
