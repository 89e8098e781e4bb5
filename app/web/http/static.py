"""The built front-end files under /static. The build compresses them. Files with a hash in their name are cached for ever."""

import re
from pathlib import Path
from wsgiref.headers import Headers

from servestatic.asgi import ServeStaticASGI
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

PREFIX = "/static/"
POLICY = "default-src 'none'; frame-ancestors 'none'"  # for a file that is opened as a page; it has no nonce
HASHED = re.compile(r"-[0-9A-Z]{8}\.[a-z0-9]+$")  # as esbuild names what it builds


class StaticFiles:
    """Serves the files of one folder, which it lists once after each build."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._built_ns = 0
        self._files = ServeStaticASGI(answer_missing)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        built_ns = modified_ns(self._folder)
        if built_ns != self._built_ns:
            self._files = ServeStaticASGI(
                answer_missing,
                root=self._folder if built_ns else None,
                prefix=PREFIX,
                allow_all_origins=False,
                immutable_file_test=is_hashed,
                add_headers_function=add_policy,
            )
            self._built_ns = built_ns
        await self._files(scope, receive, send)


def modified_ns(folder: Path) -> int:
    """Return when a file of the folder was last added or removed, 0 if there is no such folder."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def add_policy(headers: Headers, path: str, url: str) -> None:
    headers["content-security-policy"] = POLICY


def is_hashed(path: str, url: str) -> bool:
    return HASHED.search(url) is not None


async def answer_missing(scope: Scope, receive: Receive, send: Send) -> None:
    raise HTTPException(404)
