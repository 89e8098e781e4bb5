"""The application of Ray Serve that runs a node's relay, pinned to the node."""

from pathlib import Path

from ray import serve
from ray.serve import Application

from app.cluster.relay import Relay

MOST_REQUESTS = 10_000  # at once; the runner's own caps are far below
NODE_RESOURCE = "gradroom-{}"  # what `ray start` says that a node has, so that its relay is nowhere else


class RelayOfNode:
    """Has nothing of its own: `serve.ingress` makes the relay answer its requests."""


def relay(args: dict[str, str]) -> Application:
    """Return the application for one node. `args`: its name `node`, the `socket` of its runner, and the `token_file`.

    Only the path of the token is in Ray's state.
    """
    asgi = Relay(args["node"], Path(args["socket"]), Path(args["token_file"]))
    deployment = serve.deployment(
        serve.ingress(asgi)(RelayOfNode),
        name="relay",
        num_replicas=1,
        max_ongoing_requests=MOST_REQUESTS,
        ray_actor_options={"num_cpus": 0, "resources": {NODE_RESOURCE.format(args["node"]): 0.001}},
    )
    application: Application = deployment.bind()
    return application
