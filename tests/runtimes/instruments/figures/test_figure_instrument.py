"""Which figures are shown, where and how often; and that a program cannot see that they were recorded."""

import pytest
from msgspec import UNSET

from app.protocol.records.fault import FaultRecord
from app.protocol.run import Source
from tests.runtimes.children import Children

PLT = "import matplotlib.pyplot as plt\n"


def shown(children: Children, text: str, *replay: Source) -> list[tuple[int | None, list[str]]]:
    """Return the line and the texts of each figure."""
    return [(figure.span.line, figure.texts) for figure in children.run(PLT + text, *replay).figures]


def test_show_shows_each_open_figure_at_its_line_and_closes_it(children: Children) -> None:
    text = "plt.title('one')\nplt.figure()\nplt.title('two')\nplt.show()\nplt.title('three')\nplt.show()\nprint(plt.get_fignums())"
    ended = children.run(PLT + text)
    assert [(figure.span.line, figure.texts) for figure in ended.figures] == [(5, ["one"]), (5, ["two"]), (7, ["three"])]
    assert (ended.stdout, ended.stderr) == ("[]\n", "")


def test_a_figures_own_show_shows_it_and_leaves_it_open(children: Children) -> None:
    assert shown(children, "fig, ax = plt.subplots()\nfig.suptitle('mine')\nfig.show()\nassert plt.get_fignums()") == [(4, ["mine"])]


def test_a_figure_as_trailing_expression_is_shown_instead_of_its_repr(children: Children) -> None:
    ended = children.run(PLT + "fig, ax = plt.subplots()\nax.set_title('t')\nfig")
    assert [(figure.span.line, figure.title) for figure in ended.figures] == [(4, "fig")]
    assert ended.values == []


def test_a_figure_that_was_made_without_pyplot_is_shown_as_trailing_expression(children: Children) -> None:
    ended = children.run("from matplotlib.figure import Figure\nfig = Figure()\nfig.subplots().set_xlabel('x')\nfig")
    assert [figure.texts for figure in ended.figures] == [["x"]]


def test_an_empty_figure_is_a_value_as_any_other(children: Children) -> None:
    ended = children.run(PLT + "plt.figure()")
    assert (ended.figures, [value.text for value in ended.values]) == ([], ["<Figure size 640x480 with 0 Axes>"])


def test_a_figure_left_open_is_shown_at_the_line_that_made_it(children: Children) -> None:
    assert shown(children, "fig, ax = plt.subplots()\nax.set_title('open')\nprint('later')") == [(2, ["open"])]


def test_a_figure_is_left_open_also_by_an_error(children: Children) -> None:
    ended = children.run(PLT + "plt.title('so far')\n1 / 0")
    assert (ended.over.ending, [figure.texts for figure in ended.figures]) == ("raised", [["so far"]])


def test_a_figure_is_shown_again_only_when_it_has_changed(children: Children) -> None:
    assert len(shown(children, "fig, ax = plt.subplots()\nfig.show()\nfig.show()\nfig")) == 1
    assert len(shown(children, "fig, ax = plt.subplots()\nfig.show()\nax.plot([1, 2])\nfig")) == 2


def test_a_loop_that_pauses_shows_what_came_of_it_once(children: Children) -> None:
    text = "line, = plt.plot([0, 1])\nfor step in range(5):\n    line.set_ydata([step, 1])\n    plt.title(step)\n    plt.pause(0.001)"
    assert shown(children, text) == [(6, ["4"])]


def test_what_a_replayed_cell_left_open_is_closed_and_not_shown(children: Children) -> None:
    first = Source(text=PLT + "fig, ax = plt.subplots()\nax.set_title('replayed')\nplt.show\n", cell="first")
    shows = Source(text="plt.title('shown there')\nplt.show()", cell="second")
    assert shown(children, "plt.plot([1])\nplt.title('own')", first, shows) == [(2, ["own"])]
    assert shown(children, "ax.set_xlabel('x')\nfig", first) == [(3, ["replayed", "x"])]


def test_a_closed_figure_is_not_shown(children: Children) -> None:
    assert shown(children, "plt.title('gone')\nplt.close()\nplt.show()") == []


def test_a_figure_that_matplotlib_cannot_draw_says_why_and_the_others_are_shown(children: Children) -> None:
    ended = children.run(PLT + "plt.title(r'$\\nonsense$')\nplt.figure()\nplt.title('fine')\nplt.show()\nprint('on')")
    broken, fine = ended.figures
    assert (broken.drawing, broken.png) == (UNSET, None)
    assert broken.error is not None and "nonsense" in broken.error
    assert (fine.texts, fine.error, ended.stdout) == (["fine"], None, "on\n")
    assert not [record for record in ended.records if isinstance(record, FaultRecord)]


def test_titles_labels_legends_and_annotations_are_its_texts_in_reading_order(children: Children) -> None:
    text = """
fig, axes = plt.subplots(1, 2)
axes[0].plot([1, 2], label='训练')
axes[0].set(title='left', xlabel='x', ylabel='y')
axes[0].legend(title='lines')
axes[1].annotate('top', (0, 0))
axes[1].set_title('hidden').set_visible(False)
fig.suptitle('both')
fig.text(0, 0, 'note')
"""
    assert shown(children, text) == [(3, ["both", "left", "x", "y", "lines", "训练", "hidden", "top", "note"])]


def test_a_figure_of_three_dimensions_has_three_labels(children: Children) -> None:
    assert shown(children, "ax = plt.figure().add_subplot(projection='3d')\nax.set(xlabel='a', ylabel='b', zlabel='c')") == [
        (2, ["a", "b", "c"])
    ]


def test_the_same_program_gives_the_same_drawing(children: Children) -> None:
    text = PLT + "plt.scatter([1, 2], [3, 4])\nplt.legend(['a'])\nplt.show()"
    assert children.run(text).figures == children.run(text).figures


SAME = {
    "colours": """
fig, ax = plt.subplots()
ax.plot([1, 2])
plt.show()
print(ax.lines[0].get_color(), plt.rcParams['axes.prop_cycle'])
""",
    "settings": """
before = dict(plt.rcParams)
plt.plot([1])
plt.show()
print(dict(plt.rcParams) == before, plt.get_backend())
""",
    "canvas": """
fig, ax = plt.subplots(figsize=(5, 3), dpi=77)
canvas, stale = fig.canvas, (fig.stale, ax.stale)
fig.show()
print(fig.canvas is canvas, (fig.stale, ax.stale) == stale, fig.dpi, fig.get_size_inches(), type(canvas).__name__, fig.canvas.manager.num)
""",
    "pixels": """
import numpy
fig, ax = plt.subplots()
ax.plot([1, 2])
fig.show()
fig.canvas.draw()
print(numpy.asarray(fig.canvas.buffer_rgba()).sum())
""",
    "savefig": """
import os
plt.plot([1, 2])
plt.title('t')
plt.savefig('a.png')
plt.savefig('a.pdf')
print(sorted(os.listdir()))
""",
    "savefig after show": """
fig, ax = plt.subplots()
ax.set_title('训')
plt.show()
fig.savefig('a.png')
fig.savefig('a.svg')
""",
    "fonts": """
plt.rcParams['font.sans-serif'] = ['SimHei']
fig, ax = plt.subplots()
ax.set_title('训')
plt.show()
fig.savefig('a.png')
""",
    "warnings": """
import warnings
fig, ax = plt.subplots(layout='tight')
ax.set_title('训')
for step in range(3):
    fig.show()
    warnings.warn('once')
print(len(warnings.filters), [key for key in globals() if 'warning' in key])
""",
    "events": """
fig = plt.figure()
fig.canvas.mpl_connect('draw_event', print)
fig.add_subplot()
fig.show()
print('no event')
""",
    "numbers": """
import numpy, random
plt.plot([1])
plt.show()
print(random.random(), numpy.random.rand())
with numpy.errstate(all='raise'):
    plt.plot([1])
    plt.show()
""",
    "styles": """
print('ggplot' in plt.style.available)
with plt.style.context('ggplot'):
    plt.plot([1])
plt.style.use('default')
plt.rcdefaults()
""",
    "errors": """
for call in (lambda: plt.figure().show(1, 2, 3), lambda: plt.plot([1], [1, 2]), lambda: plt.show(1)):
    try:
        call()
    except (TypeError, ValueError) as error:
        print(error)
""",
    "a figure without a manager": """
from matplotlib.figure import Figure
try:
    Figure().show()
except AttributeError as error:
    print(error)
""",
    "threads": """
import threading
plt.plot([1])
plt.show()
print(threading.active_count())
""",
    "environment": """
import os
print(sorted(name for name in os.environ if 'MPL' in name))
""",
    "tensors": """
import torch
plt.plot(torch.arange(3.))
plt.imshow(torch.rand(3, 3))
plt.show()
print(torch.rand(1))
""",
}


@pytest.mark.parametrize("name", SAME)
def test_a_program_that_plots_prints_and_saves_what_it_would_without_us(children: Children, bare_children: Children, name: str) -> None:
    observed, bare = children.run(PLT + SAME[name]), bare_children.run(PLT + SAME[name])
    assert (observed.stdout, observed.stderr) == (bare.stdout, bare.stderr)
    assert sorted(observed.files) == sorted(bare.files)
    assert [observed.files[file] == bare.files[file] for file in observed.files if file.endswith(".png")].count(False) == 0
