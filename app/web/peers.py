"""Collects the metrics of all web processes of this server through their Unix sockets.

A scrape reaches any one of the web processes. That process answers for all, and labels each figure with the name of its process.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import aiohttp
import structlog

from app.labelled_metrics import label_metrics

ANSWER_SECONDS = 2.0
OWN_METRICS = "/metrics/own"

log = structlog.get_logger()


class Peers:
    """The web processes of a server. `name` is the name of this process, and `others` maps the names of the others to their sockets.

    `host` is a Host header that the server accepts.
    """

    def __init__(self, name: str, others: Mapping[str, Path], host: str) -> None:
        self._name, self._others, self._host = name, others, host

    async def gather_metrics(self, own: bytes) -> bytes:
        """Return the metrics of all processes as text. `own` are those of this process. A process that does not answer is left out."""
        found = await asyncio.gather(*(self._ask(name, socket) for name, socket in self._others.items()))
        of_others = {name: text for name, text in zip(self._others, found, strict=True) if text is not None}
        return label_metrics("process", {self._name: own.decode(), **of_others})

    async def _ask(self, name: str, socket: Path) -> str | None:
        timeout = aiohttp.ClientTimeout(total=ANSWER_SECONDS)
        try:
            async with (
                aiohttp.ClientSession(connector=aiohttp.UnixConnector(str(socket)), timeout=timeout) as session,
                session.get(f"http://{self._host}{OWN_METRICS}", raise_for_status=True) as answer,
            ):
                return await answer.text()
        except (aiohttp.ClientError, TimeoutError) as error:
            log.warning("peer_silent", peer=name, error=str(error) or type(error).__name__)
            return None
