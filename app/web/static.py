"""The built front-end assets under /static: found once at start, compressed at build, kept for ever under hashed names."""

import re
from pathlib import Path

from fastapi import FastAPI
from servestatic.asgi import ServeStaticASGI
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

HASHED = re.compile(r"[-.][0-9A-Za-z_]{8,}\.[a-z0-9]+$")


def mount_static(app: FastAPI, folder: Path) -> None:
    """Serves `folder`, if there is one."""
    if folder.is_dir():
        static = ServeStaticASGI(answer_missing, root=folder, prefix="/static/", allow_all_origins=False, immutable_file_test=is_hashed)
        app.mount("/static", static)


def is_hashed(path: str, url: str) -> bool:
    return HASHED.search(url) is not None


async def answer_missing(scope: Scope, receive: Receive, send: Send) -> None:
    raise HTTPException(404)
