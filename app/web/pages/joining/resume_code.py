"""The page that shows a resume code. A code is shown only once, because the server stores only its hash."""

from typing import Literal

from fastapi import Request
from starlette.responses import Response

from app.classroom.classes.join_code import format_code
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.pages.rendering import render

Occasion = Literal["joined", "renewed", "hand-on"]
TITLES: dict[Occasion, str] = {
    "joined": mark("You are in {name}"),
    "renewed": mark("Your new resume code for {name}"),
    "hand-on": mark("Before somebody else uses this computer"),
}


def show_resume_code(request: Request, lang: Lang, class_id: int, class_name: str, code: str, occasion: Occasion) -> Response:
    """Show a new resume code of a class's member. `occasion` says why there is a new one."""
    title = translator(lang)(TITLES[occasion]).format(name=class_name)
    return render(
        request,
        lang,
        "joining/resume_code.html",
        title=title,
        description=title,
        script="joining.js",
        path=f"class/{class_id}",
        indexed=False,
        data={},
        class_id=class_id,
        class_name=class_name,
        code=format_code(code),
        occasion=occasion,
    )
