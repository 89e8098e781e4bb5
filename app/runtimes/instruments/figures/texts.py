"""Lists the texts of a figure in reading order: titles, labels, legends and annotations, but not the numbers at the ticks.

Runs in the child.
"""

from collections.abc import Iterator
from typing import Any

from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text

from app.protocol.records.figure import FIGURE_TEXTS
from app.runtimes.plain_text import plain

_CHARACTERS = 500


def texts_of(figure: Figure) -> list[str]:
    """Return the texts of a figure, at most as many and as long as a record allows."""
    texts = (plain(text.strip(), _CHARACTERS) for text in _texts_of(figure))
    return [text for text in texts if text][:FIGURE_TEXTS]


def _texts_of(figure: Any) -> Iterator[str]:
    if figure.get_visible():
        title = figure.get_suptitle()
        yield title
        for axes in figure.axes:
            if axes.get_visible() and axes.figure is figure:
                yield from _texts_of_axes(axes)
        for part in figure.subfigs:
            yield from _texts_of(part)
        for legend in figure.legends:
            yield from _texts_of_legend(legend)
        yield from (text for text in _visible(figure.texts) if text != title)


def _texts_of_axes(axes: Any) -> Iterator[str]:
    yield from (axes.get_title(loc=loc) for loc in ("left", "center", "right"))
    if getattr(axes, "_axis3don", axes.axison):
        yield from _visible([axis.label for axis in axes._axis_map.values()])
    if legend := axes.get_legend():
        yield from _texts_of_legend(legend)
    yield from _visible(axes.texts)
    for inner in axes.child_axes:
        yield from _texts_of_axes(inner)


def _texts_of_legend(legend: Legend) -> Iterator[str]:
    if legend.get_visible():
        yield from _visible([legend.get_title(), *legend.get_texts()])


def _visible(texts: list[Text]) -> Iterator[str]:
    return (text.get_text() for text in texts if text.get_visible())
