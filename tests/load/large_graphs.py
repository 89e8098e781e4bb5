"""Measures large graphs: how long each of thirty takes to a picture, which engine laid it out, and how large the picture is.

    python -m tests.load.large_graphs [--rounds N]

The programs of `tests.load.graph_programs` are run in this process, unconfined. Their graphs are then drawn as the runner draws them, by
confined layout processes. It prints a table and ends.
"""

import argparse
import asyncio
import os
import statistics
import sys
import time

from app.protocol.geometry import Geometry, LayoutRequest
from app.protocol.limits import Limits
from app.protocol.records.graph import GraphRecord
from app.runner.drawing.layout_workers import Allowance, LayoutWorkers
from app.runner.drawing.pictures import Pictures
from tests.load.graph_programs import PROGRAMS, draw_graph

UID = 65_001 if os.geteuid() == 0 else None


class ObservedWorkers(LayoutWorkers):
    """Remembers which engine laid out the last graph."""

    engine = ""

    async def arrange(self, graph: LayoutRequest, allowance: Allowance, share: float = 1.0) -> Geometry:
        geometry = await super().arrange(graph, allowance, share)
        self.engine = geometry.engine if graph.engine is None else f"{geometry.engine} (2nd)"
        return geometry


async def measure(graphs: dict[str, GraphRecord], rounds: int) -> int:
    """Print a line for each graph. Return the number of graphs that got neither a picture nor a note."""
    layout = ObservedWorkers(UID)
    await layout.start()
    silent = 0
    print(f"{'graph':45} nodes edges engine     seconds SVG kB", flush=True)
    try:
        for name, graph in graphs.items():
            seconds = []
            for _ in range(rounds):
                begun = time.perf_counter()
                drawn = await Pictures(layout, Limits(), "en").complete(graph)
                seconds.append(time.perf_counter() - begun)
            assert isinstance(drawn, GraphRecord)
            size = f"{len(drawn.svg) / 1000:6.0f}" if drawn.svg else f" {drawn.note}"
            engine = layout.engine if drawn.svg else "none"
            print(f"{name:45} {len(graph.nodes):5} {len(graph.edges):5} {engine:10} {statistics.median(seconds):7.2f} {size}", flush=True)
            silent += not (drawn.svg or drawn.note)
    finally:
        await layout.close()
    return silent


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.large_graphs", description="Measure the drawing of large graphs.")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is drawn; the median is printed")
    rounds = parser.parse_args().rounds
    return asyncio.run(measure({name: draw_graph(source) for name, source in PROGRAMS.items()}, rounds))


if __name__ == "__main__":
    sys.exit(main())
