"""HTTP to the nodes of a cluster, through any of its entries, which are the proxies of Ray Serve."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any

import aiohttp

from app.protocol.load import NODE_NAME
from app.runner.client import RunnerIncompatible, RunnerUnavailable
from app.runner.socket_runner import IDLE_CONNECTION_SECONDS, HttpConnections

HEAD_SECONDS = 5.0  # the runner decides about an order at once; what comes after the head of its answer has no time limit
NODE_HEADER = "x-gradroom-node"  # in every answer of a relay; without it, the entry itself has answered
ROUTE = re.compile(rf"/nodes/({NODE_NAME})")
NOT_REACHED = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)


class Entries(HttpConnections):
    """The entries, such as `10.0.0.1:8000`. The one that answered last is asked first."""

    def __init__(self, hosts: Sequence[str], token: str) -> None:
        super().__init__(
            lambda: aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE_CONNECTION_SECONDS), headers={"authorization": f"Bearer {token}"}
        )
        self._hosts = list(hosts)

    async def find_nodes(self) -> list[str]:
        """Return the names of the nodes. Raises RunnerUnavailable and RunnerIncompatible."""
        async with await self._ask("GET", "/-/routes") as response:
            try:
                routes = await response.json(content_type=None)
                return [found[1] for route in routes if (found := ROUTE.fullmatch(route))]
            except (aiohttp.ClientError, TimeoutError) as error:
                raise RunnerUnavailable("the entry broke off its answer") from error
            except (ValueError, TypeError) as error:
                raise RunnerIncompatible("the entry is no proxy of Ray Serve") from error

    async def ask(self, node: str, method: str, path: str, **request: Any) -> aiohttp.ClientResponse:
        """Send a request to a node's relay, and return the response once its head is there. Raises RunnerUnavailable."""
        response = await self._ask(method, f"/nodes/{node}{path}", **request)
        if response.headers.get(NODE_HEADER) != node:
            response.close()
            raise RunnerUnavailable(f"the entry answered {response.status} for the node {node}")
        if response.status == 401:
            response.close()
            raise RunnerUnavailable(f"the node {node} does not accept GRADROOM_RUNNER_TOKEN")
        return response

    async def _ask(self, method: str, path: str, **request: Any) -> aiohttp.ClientResponse:
        """Ask one entry after the other until one can be connected to."""
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                for host in list(self._hosts):
                    try:
                        return await self._http.request(method, f"http://{host}{path}", **request)
                    except NOT_REACHED:
                        self._hosts.append(self._hosts.pop(self._hosts.index(host)))
        except (aiohttp.ClientError, TimeoutError) as error:
            raise RunnerUnavailable("the node is out of reach") from error
        raise RunnerUnavailable("no entry of the cluster is in reach")
