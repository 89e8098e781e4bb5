"""Finds the colours of a figure that are matplotlib's defaults. The page's theme replaces these, but no colour that a learner chose.

The zygote changes each default colour by less than 8 bits can represent. Pictures stay the same, and the change marks the colour as a
default.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure, FigureBase
from matplotlib.legend import Legend
from matplotlib.table import Cell
from matplotlib.text import Text

_TINY = 1e-9
_DARK = 0.012  # the relative luminance of the darkest grey that can be made out on the dark theme's background
_SHADES = {"black": ("ink", (0.0, 0.0, _TINY)), "white": ("paper", (1.0, 1.0, 1.0 - _TINY))}
_GREYS = ("grid.color", "legend.edgecolor", *(f"axes3d.{axis}axis.panecolor" for axis in "xyz"))

_roles: dict[tuple[float, ...], str] = {}


def mark_defaults() -> None:
    """Mark the default colours, also those that rcdefaults() and style.use("default") restore. Runs in the zygote."""
    for name, value in list(mpl.rcParamsDefault.items()):
        if name in _GREYS:
            red, green, blue, *alpha = to_rgba(value)
            _set_default(name, "muted", (red, green, blue + _TINY), *(alpha if alpha != [1.0] else ()))
        elif isinstance(value, str) and value in _SHADES:
            _set_default(name, *_SHADES[value])


def _set_default(name: Any, role: str, colour: tuple[float, float, float], *alpha: float) -> None:
    _roles[colour] = role
    for settings in (mpl.rcParamsDefault, mpl.rcParamsOrig, mpl.rcParams):
        settings[name] = (*colour, *alpha)


def role_of(colour: Sequence[float] | str) -> str | None:
    """Return what a default colour is for ("ink", "paper" or "muted"); None for any other colour."""
    return None if isinstance(colour, str) else _roles.get(tuple(colour[:3]))


def follows_theme(figure: Figure) -> bool:
    """Return whether all texts have default or transparent backgrounds.

    On any other background, ink could be invisible in the dark theme.
    """
    return all(role_of(to_rgba(ground)) == "paper" or to_rgba(ground)[3] == 0 for ground in _grounds(figure))


def _grounds(figure: Figure) -> Iterator[Any]:
    """Yield the background colours of texts: those of the figure, axes, legends, text boxes and table cells; white for text on an image."""
    kinds = (FigureBase, Axes, Legend, Text, Cell)
    artists: list[Any] = figure.findobj(lambda each: isinstance(each, kinds))
    for artist in artists:
        if hasattr(artist, "patch"):
            yield artist.patch.get_facecolor()
        elif isinstance(artist, Legend):
            yield artist.get_frame().get_facecolor() if artist.get_frame_on() else "none"
        elif isinstance(artist, Text) and (box := artist.get_bbox_patch()):
            yield box.get_facecolor()
        elif isinstance(artist, Cell):
            yield artist.get_facecolor()
        if isinstance(artist, Axes) and artist.texts and artist.images:
            yield "white"


def vanishes_in_the_dark(colour: str) -> bool:
    """Return whether a colour "#rrggbb" is too dark to be seen on the dark theme's background."""
    linear = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in to_rgba(colour)[:3]]
    return sum(weight * channel for weight, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True)) < _DARK
