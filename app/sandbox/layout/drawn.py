"""What a layout engine gives back: places for nodes and joints, curves for lines. Runs in the layout process."""

from dataclasses import dataclass

import msgspec

from app.protocol.geometry import Curve, Engine, Geometry, Point
from app.sandbox.layout.trunks import Branch, Sketch


class GraphGivenUp(Exception):
    """The engine has no layout for this graph."""


@dataclass(frozen=True)
class Drawn:
    """Lengths in points, y downward; `centres` of a sketch's nodes and joints, `curves` of its lines."""

    width: float
    height: float
    centres: list[Point]
    curves: list[Curve]
    engine: Engine

    def geometry(self, sketch: Sketch) -> Geometry:
        """As the runner wants it: by the nodes and links of the request that was sketched."""
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
