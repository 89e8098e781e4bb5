"""Records matplotlib's figures: the shown ones (plt.show, fig.show), a trailing expression, and figures that are open at the end.

Installed in the zygote, used in the child. The program's own matplotlib draws with Agg, as it does anywhere without a screen.
"""

import hashlib
import weakref
from collections.abc import Callable
from typing import Any

from app.protocol.instrument_facts import FIGURE
from app.protocol.records.record import Span
from app.protocol.records.registry import encode_record
from app.protocol.run import RunError
from app.runtimes.instruments.figures import agg  # noqa: F401  # before what imports matplotlib
from app.runtimes.instruments.figures.record import figure_record
from app.runtimes.instruments.figures.theme import mark_defaults
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.stand_in import stand_in

# isort: split
from matplotlib import pyplot
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.figure import Figure


class FigureInstrument(Instrument):
    """Records figures. A figure that was recorded before is recorded again only if it looks different."""

    facts = FIGURE

    def install(self) -> None:
        mark_defaults()
        FigureManagerBase.__init__ = stand_in(FigureManagerBase.__init__, self._make_manager)  # type: ignore[method-assign]
        FigureManagerBase.show = stand_in(FigureManagerBase.show, self._show_managed)  # type: ignore[method-assign]
        pyplot.show = stand_in(pyplot.show, self._show_all)

    def begin(self) -> None:
        pyplot.close("all")
        self._spans: weakref.WeakKeyDictionary[Figure, Span | None] = weakref.WeakKeyDictionary()
        self._shown: weakref.WeakKeyDictionary[Figure, bytes] = weakref.WeakKeyDictionary()
        self._shows_later = False  # within plt.show(block=False)

    def replayed(self) -> None:
        """Close the figures of replayed cells. The learner has already seen them, in the runs of these cells."""
        pyplot.close("all")
        self._spans.clear()

    def show(self, value: Any, span: Span | None, title: str) -> bool:
        """Record a figure, and return True. Return False for an empty figure, which is then shown like any other value."""
        if not issubclass(type(value), Figure) or len(value.get_children()) < 2:
            return False
        self._show(value, span, title)
        return True

    def finish(self, error: RunError | None) -> None:
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            self._show(figure, self._spans.get(figure))

    def _make_manager(self, make: Callable[..., None], *args: Any, **kwargs: Any) -> None:
        make(*args, **kwargs)
        if self.active and self.recorder.running:
            self._spans[args[0].canvas.figure] = self.recorder.sources.caller()

    def _show_all(self, show: Callable[..., None], *args: Any, **kwargs: Any) -> None:
        """The replacement for plt.show: record all figures and close them. With block=False, figures stay open and are recorded later."""
        self._shows_later = kwargs.get("block") is False
        try:
            show(*args, **kwargs)
        finally:
            shows_later, self._shows_later = self._shows_later, False
        if self.active and self.recorder.running and not shows_later:
            pyplot.close("all")

    def _show_managed(self, show: Callable[..., None], manager: FigureManagerBase) -> None:
        if not (self.active and self.recorder.running):
            show(manager)
            return
        figure, span = manager.canvas.figure, self.recorder.sources.caller()
        if self._shows_later:
            self._spans[figure] = span
        else:
            self._show(figure, span)

    def _show(self, figure: Figure, span: Span | None, title: str = "") -> None:
        """Record a figure unless it is empty. If it cannot be drawn, only a fault is recorded, and other figures can follow."""
        if not self.recorder.showing or len(figure.get_children()) < 2:
            return
        with self.guarded():
            record = figure_record(figure)
            digest = hashlib.sha256(encode_record(record)).digest()
            if self._shown.get(figure) != digest:
                self._shown[figure] = digest
                record.title = title
                self.recorder.show(record, span)
