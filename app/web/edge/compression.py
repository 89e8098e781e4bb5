"""Compresses answers with gzip, except the streams of learners.

gzip needs a quarter of a MiB for each open stream, brotli 1.5 and zstd 3. Assets are compressed with brotli when they are built. Each
member of a class has a stream of their own, which sends a few short events in an hour.
"""

from starlette.types import ASGIApp, Receive, Scope, Send
from starlette_compress import CompressMiddleware

STREAMS = "/api/me/class-events"


class Compression(CompressMiddleware):
    """The middleware that compresses."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, zstd=False, brotli=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        compresses = scope["type"] == "http" and scope["path"] != STREAMS
        await (super().__call__ if compresses else self.app)(scope, receive, send)
