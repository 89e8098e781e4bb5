"""The result of a layout engine: positions of nodes and joints, and curves for lines. Runs in the layout process."""

from dataclasses import dataclass

import msgspec

from app.protocol.geometry import Curve, Engine, Geometry, Point
from app.sandbox.layout.trunks import Branch, Sketch


class GraphGivenUp(Exception):
    """The engine has no layout for this graph."""


@dataclass(frozen=True)
class Drawn:
    """A sketch laid out. Lengths are in points, and y points down. `centres` are of its nodes and joints, `curves` of its lines."""

    width: float
    height: float
    centres: list[Point]
    curves: list[Curve]
    engine: Engine

    def geometry(self, sketch: Sketch) -> Geometry:
        """Return the geometry of the nodes and links of the request from which the sketch was made."""
        return Geometry(
            width=self.width,
            height=self.height,
            centres=self.centres[: sketch.joints_from],
            curves=[self._curve(branch) for branch in sketch.branches],
            trunks=[[self.curves[piece] for piece in pieces] for pieces in sketch.trunks],
            engine=self.engine,
        )

    def _curve(self, branch: Branch) -> Curve:
        if branch.line is None:
            return Curve(points=[])
        return msgspec.structs.replace(self.curves[branch.line], trunk=branch.trunk, steps=branch.steps)
