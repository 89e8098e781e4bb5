"""Records errors in pages, in the same way in every browser: the page reports them to the server that the tests run."""

import re

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ADDRESS = "/heard"
SCRIPT = """<script nonce="%s">{
  const tell = (...words) => navigator.sendBeacon("/heard", words.join(" "));
  addEventListener("error", ({ error, message, target }) => tell("error", error ?? message ?? target.src ?? target.href), true);
  addEventListener("unhandledrejection", ({ reason }) => tell("unhandled", reason));
  addEventListener("securitypolicyviolation", (event) =>
    tell("policy", event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber));
  console.error = (...words) => tell("console", ...words);
}</script>"""


class Ear:
    """Middleware around the app: puts a script first into every page, and appends to `heard` what that script reports."""

    def __init__(self, app: ASGIApp, heard: list[str]) -> None:
        self.app, self.heard = app, heard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(("/api", "/static")):
            await self.app(scope, receive, send)
        elif scope["path"] == ADDRESS:
            if scope["method"] == "POST":
                self.heard.append((await Request(scope, receive).body()).decode())
            await Response("", media_type="text/plain")(scope, receive, send)
        else:
            del MutableHeaders(scope=scope)["accept-encoding"]
            await self.app(scope, receive, Rewriting(send).send)


class Rewriting:
    """One answer, whose body is buffered until it is complete."""

    def __init__(self, send: Send) -> None:
        self._send, self._start, self._body = send, None, b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            return
        self._body += message.get("body", b"")
        if self._start is None or message.get("more_body"):
            return
        if nonce := re.search(rb'nonce="([^"]+)"', self._body):
            self._body = self._body.replace(b"<head>", b"<head>" + SCRIPT.encode() % nonce[1], 1)
        MutableHeaders(scope=self._start)["content-length"] = str(len(self._body))
        await self._send(self._start)
        await self._send({"type": "http.response.body", "body": self._body})
