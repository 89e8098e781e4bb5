"""A program that draws a figure, whose first time takes a while: for zygotes to rehearse; and the files it leaves open."""

import sys

from app.protocol.run import Program, Source

_PLOTTING = """
import matplotlib.pyplot as plt
import numpy as np

_, axes = plt.subplots()
axes.plot(np.arange(3), "o-", label="$x^2$")
axes.imshow(np.eye(3))
axes.contour(np.eye(3))
axes.set(title="Warm-up", xlabel="x", ylabel="y")
axes.legend()
plt.show()
"""

PLOTTING = Program(source=Source(text=_PLOTTING, cell="warm-up"))


def close_fonts() -> None:
    """Close matplotlib's font files, as it does by itself in every forked process: then children have nothing to close."""
    manager = sys.modules.get("matplotlib.font_manager")
    if manager is not None:
        manager._get_font.cache_clear()
