"""The layout process: lays graphs out with Graphviz, and copies PNGs with Pillow. It is a process of its own because both are native code.

It is not forked from a zygote: the runner starts it with a clean environment and one end of a socketpair as its standard input, and sends
one request after another (`app.protocol.geometry`). It warms up and confines itself before it reports that it is ready, and ends when the
runner closes the socket.

    python -s -P -m app.sandbox.layout.layout_main [uid]
"""

import sys

import msgspec

from app.protocol.geometry import Engine, Geometry, LayoutLink, LayoutReady, LayoutRequest, Question, Refused
from app.sandbox.confinement.confinement import confine_helper
from app.sandbox.framing import ChannelClosed, read_frame, write_frame
from app.sandbox.layout.graphviz_engine import arrange
from app.sandbox.layout.png_copy import copy_png, encode_png
from app.sandbox.layout.trunks import Sketch, sketch

CHANNEL = 0
MOST_DOT_WORK = 350_000  # the largest `dot_work` for which dot takes at most about a second


def main() -> None:
    """Warm up, confine this process and serve. The command's argument is the uid to become, if any."""
    draw(LayoutRequest(nodes=[(80, 32), (80, 44), (60, 32)], links=[LayoutLink(0, 1), LayoutLink(1, 2, "beside"), LayoutLink(0, 1)]))
    copy_png(encode_png((1, 1), bytes(4)))
    confine_helper(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    serve()


def draw(request: LayoutRequest) -> Geometry | Refused:
    """Return the geometry of the graph, or Refused when Graphviz gives it up.

    Unless the request names an engine, dot lays the graph out, or the engine "hasty" where dot would take long.
    """
    sketched = sketch(request)
    chosen: Engine = "hasty" if dot_work(sketched) > MOST_DOT_WORK else "dot"
    return arrange(sketched, request.engine or chosen)


def dot_work(sketched: Sketch) -> int:
    """Return how hard the graph is for dot: its nodes times its independent cycles.

    In trees and chains, which have no cycle, dot's network simplex finds little to improve.
    """
    nodes = len(sketched.sizes)
    return nodes * max(0, len(sketched.lines) - nodes + 1)


def serve() -> None:
    """Report LayoutReady, then answer requests until the runner closes the socket. A request that cannot be decoded is refused."""
    write_frame(CHANNEL, LayoutReady())
    decoder = msgspec.msgpack.Decoder(Question)
    while True:
        try:
            request = read_frame(CHANNEL, decoder)
        except ChannelClosed:
            return
        except msgspec.MsgspecError as error:
            write_frame(CHANNEL, Refused(reason=str(error)))
        else:
            write_frame(CHANNEL, draw(request) if isinstance(request, LayoutRequest) else copy_png(request.png))


if __name__ == "__main__":
    main()
