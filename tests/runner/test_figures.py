"""Figures through the real sandbox: the kinds that courses draw, and records that a hostile program forges."""

import json
from typing import Any

import pytest

from app.protocol.outcome import Outcome
from app.protocol.records.figure import FigureRecord
from tests.programs import Programs

KINDS = {
    "line": "plt.plot([1, 2], label='a')\nplt.title('a line')\nplt.grid(True)",
    "scatter": "plt.scatter(*torch.randn(2, 200), c=torch.rand(200))\nplt.colorbar(label='value')",
    "image": "plt.imshow(torch.rand(12, 12))\nplt.colorbar()",
    "subplots": "fig, axes = plt.subplots(2, 2, layout='constrained')\nfig.suptitle('four')\naxes[0, 0].hist(torch.randn(100))",
    "Chinese": "plt.plot([1, 2], label='训练损失')\nplt.title('损失')\nplt.ylabel('对数')\nplt.legend()",
    "legend outside": "plt.plot([1, 2], label='a')\nplt.legend(bbox_to_anchor=(1.02, 1), loc='upper left')",
    "3-D": "x = torch.linspace(-1, 1, 20)\nplt.figure().add_subplot(projection='3d').plot_surface(*np.meshgrid(x, x), np.outer(x, x))",
}
PLT = "import matplotlib.pyplot as plt, numpy as np, torch\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_comes_as_an_svg_that_is_safe_to_inline(programs: Programs, kind: str) -> None:
    result = programs.run(f"{PLT}{KINDS[kind]}\nplt.show()")
    assert (result.outcome, result.stderr) == (Outcome.FINISHED, "")
    (figure,) = result.records
    assert isinstance(figure, FigureRecord)
    assert (figure.png, figure.note, figure.span.line) == (None, None, 2 + KINDS[kind].count("\n") + 1)
    assert figure.svg is not None
    assert figure.svg.startswith('<svg class="figure"')
    for word in ("style=", "<style", "<script", "http://", "xlink", "metadata"):
        assert word not in figure.svg.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_a_hundred_thousand_points_come_as_a_png(programs: Programs) -> None:
    (figure,) = programs.run(f"{PLT}plt.scatter(*torch.randn(2, 100_000))\nplt.title('many')\nplt.show()").records
    assert (figure.svg, figure.note, figure.texts) == (None, None, ["many"])
    assert figure.png.startswith("iVBOR")


def test_the_same_program_gives_the_same_figure(programs: Programs) -> None:
    first, second = (programs.run(PLT + KINDS["scatter"] + "\nplt.show()").records for _ in range(2))
    assert first == second


def test_figures_stand_where_they_were_shown_among_the_output(programs: Programs) -> None:
    result = programs.run(f"{PLT}print('before')\nplt.plot([1])\nplt.show()\nprint('after')\nplt.plot([2]);")
    assert [figure.stdout_offset for figure in result.records] == [len("before\n"), len("before\nafter\n")]


FORGE = """
import os, struct, msgspec
body = msgspec.msgpack.encode({{"frame": "shown", "record": {record!r}}})
frame = memoryview(struct.pack(">I", len(body)) + body)
while frame:
    frame = frame[os.write(3, frame):]
print("still here")
"""
FIGURE: dict[str, Any] = {"kind": "figure", "id": "figure-1", "width": 10, "height": 10, "texts": ["<script>alert(1)</script>\x1b"]}


def forge(programs: Programs, **fields: Any) -> Any:
    return programs.run(FORGE.format(record=json.dumps({**FIGURE, **fields}).encode()))


@pytest.mark.parametrize(
    "fields",
    [
        {"drawing": [["script", {}]]},
        {"drawing": [["foreignObject", {}]]},
        {"drawing": [["g", {"onload": "alert(1)"}]]},
        {"drawing": [["image", {"href": "https://example.org/a.png"}, [], "", "AAAA"]]},
        {"drawing": [["use", {"href": "https://example.org/#a"}]]},
        {"drawing": [["path", {"style": "fill: red"}]]},
        {"drawing": [["path", {"fill": "url(https://example.org)"}]]},
        {"drawing": [["g", {}, [["path", {}]] * 30_000]]},
        {"drawing": json.loads('[["g", {}, ' * 30 + "[]" + "]]" * 30)},
        {"width": 10**9},
        {"png": "A" * (5 * 1024 * 1024)},
    ],
    ids=repr,
)
def test_a_forged_figure_that_is_none_ends_the_run(programs: Programs, fields: dict[str, Any]) -> None:
    result = forge(programs, **fields)
    assert result.outcome in (Outcome.CRASHED, Outcome.OUTPUT_LIMIT)
    assert result.records == []


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"svg": "<svg onload='alert(1)'><script>alert(1)</script></svg>"},
        {"note": "<script>alert(1)</script>"},
        {"png": "PHNjcmlwdD4="},
        {"drawing": [["use", {"href": "#a"}]]},
        {"drawing": [["image", {}, [], "", "PHNjcmlwdD4="]]},
        {"drawing": [["g", {"id": "a"}, [["use", {"href": "#a"}]]]]},
    ],
    ids=repr,
)
def test_a_forged_figure_that_cannot_be_drawn_has_a_note(programs: Programs, fields: dict[str, Any]) -> None:
    result = forge(programs, **fields)
    (figure,) = result.records
    assert (result.outcome, result.stdout) == (Outcome.FINISHED, "still here\n")
    assert (figure.svg, figure.png) == (None, None)
    assert figure.note.startswith("This figure could not be drawn")


def test_a_forged_figure_that_can_be_drawn_is_inert(programs: Programs) -> None:
    text = ["text", {"x": "0"}, [], "</text><script>alert(1)</script>"]
    (figure,) = forge(programs, drawing=[["g", {"id": "a"}, [text]]]).records
    assert "<script" not in figure.svg
    assert "&lt;script&gt;" in figure.svg
    assert figure.texts == ["<script>alert(1)</script>␛"]


def test_what_matplotlib_cannot_draw_is_said_in_its_own_words(programs: Programs) -> None:
    (figure,) = programs.run(f"{PLT}plt.title(r'$\\nonsense$')\nplt.show()").records
    assert (figure.svg, figure.png) == (None, None)
    assert figure.note.startswith("matplotlib cannot draw this figure:") and "nonsense" in figure.note
