"""Lays a sketch out in rows, in a time proportional to its size: for graphs that take dot too long. Runs in the layout process.

After Sugiyama, Tagawa and Toda (1981). The rows are the sketch's; a long line has a slot in each row that it passes. The mean position of
its neighbours determines a slot's place in the order of its row. Then each row takes the positions nearest to the neighbours' that keep
the order and the gaps.
"""

from app.protocol.geometry import CURVE_POINTS, Curve, Point
from app.sandbox.layout.drawn import Drawn
from app.sandbox.layout.row_order import order_rows
from app.sandbox.layout.row_positions import set_positions
from app.sandbox.layout.row_relaxation import relax
from app.sandbox.layout.row_slots import RowSlot, RowSlots
from app.sandbox.layout.trunks import Line, Sketch

ROW_GAP = 30.2  # in points: dot's ranksep as we set it
ARROW = 6.5
STRAIGHT = 1.5  # points; a line that would turn by less goes straight


def arrange(sketch: Sketch) -> Drawn:
    """Lay out any sketch."""
    slots = RowSlots(sketch)
    rows = order_rows(slots.all())
    set_positions(rows)
    relax(rows)
    left = min(slot.x - slot.left for row in rows for slot in row)
    for row in rows:
        for slot in row:
            slot.x -= left
    heights = [0.0] * len(rows)
    for node, (_, height) in enumerate(sketch.sizes):
        heights[slots[node].row] = max(heights[slots[node].row], height)
    middles, bottom = [], -ROW_GAP
    for height in heights:
        middles.append(bottom + ROW_GAP + height / 2)
        bottom += ROW_GAP + height
    centres = [(slots.centre_x(node), middles[slots[node].row]) for node in range(len(sketch.sizes))]
    tracer = _Tracer(sketch, centres, middles, heights)
    curves = [tracer.trace(line, route) for line, route in zip(sketch.lines, slots.routes, strict=True)]
    width = max(slot.x + slot.right for row in rows for slot in row)
    return Drawn(width, bottom, centres, curves, "layered")


class _Tracer:
    """Draws lines between boxes whose centres are known."""

    def __init__(self, sketch: Sketch, centres: list[Point], middles: list[float], heights: list[float]) -> None:
        self._sketch = sketch
        self._centres = centres
        self._middles = middles
        self._heights = heights

    def trace(self, line: Line, route: list[RowSlot]) -> Curve:
        if line.way == "beside" or self._centres[line.tail][1] == self._centres[line.head][1]:
            return self._trace_across(line)
        down = self._centres[line.head][1] > self._centres[line.tail][1]
        start, end = self._border(line.tail, down), self._border(line.head, not down)
        tip = None if line.way == "ghost" or self._sketch.is_joint(line.head) else end
        if tip:
            end = (end[0], end[1] - (ARROW if down else -ARROW))
        points = [start]
        for x, top, bottom in self._straight_runs(route, down):
            first, last = (top, bottom) if down else (bottom, top)
            points += bend(points[-1], (x, first))
            if first != last:
                points += straight((x, first), (x, last))
        points += bend(points[-1], end)
        return Curve(points=points if len(points) <= CURVE_POINTS else [start, *bend(start, end)], tip=tip)

    def _straight_runs(self, route: list[RowSlot], down: bool) -> list[tuple[float, float, float]]:
        """Return the vertical pieces of a line: x, top and bottom of each."""
        runs: list[tuple[float, float, float]] = []
        for slot in route:
            half = self._heights[slot.row] / 2
            top, bottom = self._middles[slot.row] - half, self._middles[slot.row] + half
            if runs and abs(runs[-1][0] - slot.x) < STRAIGHT:
                x, other_top, other_bottom = runs.pop()
                runs.append((x, min(top, other_top), max(bottom, other_bottom)))
            else:
                runs.append((slot.x, top, bottom))
        return runs

    def _border(self, node: int, below: bool) -> Point:
        """Return where lines leave a box, at its lower or upper border; of a joint the middle."""
        x, y = self._centres[node]
        if self._sketch.is_joint(node):
            return x, y
        return x, y + (self._sketch.sizes[node][1] / 2 if below else -self._sketch.sizes[node][1] / 2)

    def _trace_across(self, line: Line) -> Curve:
        """Return a line between two boxes of one row."""
        (x0, y0), (x1, y1) = self._centres[line.tail], self._centres[line.head]
        side = 1.0 if x1 >= x0 else -1.0
        start = (x0 + side * self._sketch.sizes[line.tail][0] / 2, y0)
        end = (x1 - side * self._sketch.sizes[line.head][0] / 2, y1)
        return Curve(points=[start, *straight(start, end)])


def bend(start: Point, end: Point) -> list[Point]:
    """Return the points of a curve that is vertical at both ends."""
    middle = (start[1] + end[1]) / 2
    return [(start[0], middle), (end[0], middle), end]


def straight(start: Point, end: Point) -> list[Point]:
    return [start, end, end]
