"""What a run shows, one view a kind of record: made by hand and sent by a staged runner."""

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import Theme
from tests.browser.conftest import resize
from tests.browser.lesson_page import LessonPage
from tests.browser.records import PIXEL, fault, figure, gradcheck, replay, unknown
from tests.browser.staged_runner import StagedRunner, show
from tests.browser.test_accessibility import LOOKS, Looks, violations_in_each

pytestmark = pytest.mark.same_page

WORST = {"row": 64, "column": 72, "numerical": [[0.0, 2.0], [0.0, 0.0]], "analytical": [[0.0, 2.0], [-1.0, 0.0]]}
ENTRIES = [[[8 * row, 8 * column, 0.0, 0.0] for column in range(16)] for row in range(16)]
ENTRIES[8][9] = [65, 72, 0.0, -1.0]
LARGE = gradcheck(
    None,
    None,
    shape=[128, 128],
    input_shape=[8, 16],
    output_shape=[128],
    blocks={"rows": 8, "columns": 8, "entries": ENTRIES, "worst": WORST},
)
PROJECTED = gradcheck([[3.5]], [[7.0]], mode="fast", shape=[3, 70])
DOUBLED = {"numerical": [[1.0, 0.0], [0.0, 2.0]], "analytical": [[2.0, 0.0], [0.0, 4.0]], "failing": 2, "finding": "factor", "factor": 2.0}
ZERO = {"numerical": [[1.0, 0.0], [0.0, 2.0]], "analytical": [[0.0, 0.0], [0.0, 0.0]], "failing": 2, "finding": "zero"}

Staged = tuple[LessonPage, StagedRunner]


def shown(staged: Staged, *records: dict[str, object]) -> Locator:
    """The results of a run that showed these records."""
    lesson, runner = staged
    runner.plays = [show(*records)]
    lesson.editor().press("Shift+Enter")
    lesson.says("Finished")
    lesson.is_drawn()
    return lesson.results()


def test_a_large_jacobian_is_drawn_by_blocks_and_the_worst_one_whole(staged: Staged) -> None:
    panel = shown(staged, LARGE).locator("jacobian-view")
    expect(panel).to_contain_text(
        "1 of 16,384 entries differ. Worst is output 0[72] with respect to x[4, 1]: 0 numerically, −1 from backward."
    )
    expect(panel).to_contain_text("Each cell: the entry of 8 × 8 that differs most.")
    expect(panel).to_contain_text("Rows: x[4, 0] to x[4, 1]; columns: output 0[72] to output 0[73].")
    assert panel.locator("table").evaluate_all("tables => tables.map(table => table.rows.length)") == [16, 16, 16, 2, 2, 2]
    title = "output 0[72] with respect to x[4, 1]: 1"
    assert panel.locator("td.worst").evaluate_all("cells => cells.map(cell => cell.title)") == [title, title]


def test_on_a_phone_the_difference_of_large_jacobians_comes_first(staged: Staged) -> None:
    staged[0].page.set_viewport_size({"width": 390, "height": 844})
    entries = [[[row, column, 0.0, float(row == column)] for column in range(32)] for row in range(32)]
    wide = gradcheck(None, None, shape=[128, 128], blocks={"rows": 4, "columns": 4, "entries": entries, "worst": None}, failing=128)
    tables = shown(staged, wide).locator("jacobian-view table")
    tops = [box["y"] for box in (table.bounding_box() for table in tables.all()) if box]
    assert sorted(tops) == [tops[2], tops[0], tops[1]]


def test_of_many_long_tables_those_in_sight_are_drawn_and_all_on_paper(staged: Staged) -> None:
    """A table of 64 × 64 takes a second to draw, and a loop checks twenty. One of more than 1,024 entries counts as long."""
    entries = [[1.0] * 33] * 33
    results = shown(staged, *(gradcheck(entries, entries, shape=[33, 33], failing=0, finding="agree") for _ in range(4)))
    panels = results.locator("jacobian-view")
    expect(panels).to_have_count(4)
    expect(staged[0].status()).to_have_text(re.compile("^Finished · gradcheck passes *1.0 ms *$"))  # once, however many say so
    expect(results.page.locator("#live")).to_have_text("Cell 2: Finished, gradcheck passes, 1.0 ms")
    expect(panels.first.locator("table")).to_have_count(3)
    expect(panels.last.locator("table")).to_have_count(0)
    expect(panels.last).to_contain_text("The two agree.")
    panels.last.scroll_into_view_if_needed()
    expect(panels.last.locator("table")).to_have_count(3)
    results.page.pdf(page_ranges="1")
    expect(panels.locator("table")).to_have_count(12)


def test_a_result_from_before_there_were_findings_and_blocks_is_shown(staged: Staged) -> None:
    """Browsers have stored such results. A large one had its worst entries, which are no longer shown."""
    whole, large = gradcheck([[1.0]], [[2.0]]), gradcheck(None, None, shape=[80, 80], failing=80)
    for check in (whole, large):
        pair = check["pairs"][0]  # type: ignore[index]
        del pair["finding"]
        pair |= {"worst": None if check is whole else [{"row": 7, "column": 7, "numerical": 1.0, "analytical": 0.0}], "cause": None}
    panels = shown(staged, whole, large).locator("jacobian-view")
    expect(panels.nth(0)).to_contain_text("The two differ. Worst is output 0[0] with respect to x[0]: 1 numerically, 2 from backward.")
    expect(panels.nth(1)).to_contain_text("80 of 6,400 entries differ.")
    expect(panels.nth(1).locator("table")).to_have_count(0)


def test_fast_mode_is_told_as_one_projection_and_claims_nothing_of_entries(staged: Staged) -> None:
    panel = shown(staged, PROJECTED).locator("jacobian-view")
    expect(panel).to_contain_text("Fast mode compares one random projection of the whole Jacobian")
    expect(panel).to_contain_text("3.5")
    expect(panel).not_to_contain_text("everywhere")
    expect(panel).not_to_contain_text("row")
    expect(panel.locator(".worst")).to_have_count(0)


def test_fast_mode_that_finds_zero_does_not_say_that_all_is_zero(staged: Staged) -> None:
    panel = shown(staged, gradcheck([[3.5]], [[0.0]], mode="fast", shape=[3, 2])).locator("jacobian-view")
    expect(panel).to_contain_text("The two projections differ")
    expect(panel).not_to_contain_text("zero everywhere")


def test_a_check_of_backward_speaks_of_backward(staged: Staged) -> None:
    panel = shown(staged, gradcheck(**DOUBLED)).locator("jacobian-view")
    expect(panel.locator("figcaption").nth(1)).to_have_text("backward")
    expect(panel).to_contain_text("Backward is 2 times the numerical Jacobian everywhere.")


@pytest.mark.parametrize("pair", [DOUBLED, ZERO], ids=["factor", "zero"])
@pytest.mark.parametrize(
    ("mode", "order", "column", "words"),
    [
        ("reverse", 2, "autograd", "Autograd’s derivative of the gradient is"),
        ("forward", 2, "autograd", "Autograd’s derivative of the gradient is"),
        ("forward", 1, "jvp", "The jvp gives"),
    ],
)
def test_what_autograd_or_jvp_computed_is_not_called_your_backward(
    staged: Staged, pair: dict[str, object], mode: str, order: int, column: str, words: str
) -> None:
    panel = shown(staged, gradcheck(**pair, mode=mode, order=order)).locator("jacobian-view")
    expect(panel.locator("figcaption").nth(1)).to_have_text(column)
    expect(panel).to_contain_text(words)
    expect(panel).not_to_contain_text("our backward")


@pytest.mark.parametrize("kind", ["spectrum", "constructor", "__proto__"])
def test_a_kind_that_no_table_knows_is_shown_as_unknown(staged: Staged, kind: str) -> None:
    results = shown(staged, unknown(kind))
    expect(results.get_by_role("heading", name=kind)).to_be_visible()
    expect(results).to_contain_text("This page does not know this kind of record.")
    results.locator("summary").click()
    expect(results.locator("pre")).to_contain_text('"bands"')
    expect(results.get_by_role("article")).to_have_count(1)


def test_markup_in_an_unknown_record_is_text(staged: Staged) -> None:
    results = shown(staged, unknown("<img src=x onerror=alert(1)>", more="<script>alert(1)</script>"))
    expect(results.locator("img, script")).to_have_count(0)


def test_a_kind_without_a_view_is_shown_as_unknown(staged: Staged) -> None:
    results = shown(staged, replay())
    expect(results.get_by_role("heading", name="replay")).to_be_visible()
    results.locator("summary").click()
    expect(results.locator("pre")).to_contain_text('"call": "backward"')


def test_what_an_instrument_could_not_show_is_our_fault(staged: Staged) -> None:
    results = shown(staged, fault())
    expect(results).to_contain_text("The graph could not be shown.")
    expect(results).to_contain_text("The fault is ours, not your program’s.")
    expect(results.get_by_text("KeyError")).to_be_hidden()
    results.locator("summary").click()
    expect(results.get_by_text("KeyError")).to_be_visible()
    lesson, _ = staged
    expect(lesson.page.locator("#live")).to_contain_text("graph not shown")


def test_a_figure_is_drawn_named_and_told_in_words(staged: Staged) -> None:
    results = shown(staged, figure())
    expect(results.get_by_role("img", name="Figure: Loss of a run, step 步数")).to_be_visible()
    results.get_by_text("Text in the figure").click()
    expect(results.locator(".figure-texts li")).to_have_text(["Loss of a run", "step 步数"])


def test_figures_on_one_page_refer_to_their_own_parts(staged: Staged) -> None:
    results = shown(staged, figure(), figure())
    ids = results.locator("svg [id]").evaluate_all("parts => parts.map(part => part.id)")
    assert len(ids) == len(set(ids)) == 4
    referred = results.locator("svg [href], svg [clip-path]").evaluate_all(
        "parts => parts.map(part => part.getAttribute('href')?.slice(1) ?? part.getAttribute('clip-path').slice(5, -1))"
    )
    assert len(referred) == 6
    assert set(referred) == set(ids)


def test_a_hatch_is_found_by_what_it_fills(staged: Staged) -> None:
    hatch = (
        '<pattern id="h1" width="8" height="8"><path d="M0 0L8 8"/></pattern><rect width="9" height="9" fill="url(#h1)" stroke="url(#h1)"/>'
    )
    results = shown(staged, figure(f'<svg xmlns="http://www.w3.org/2000/svg">{hatch}</svg>'))
    name = results.locator("svg pattern").get_attribute("id")
    filled = results.locator("svg > rect")
    assert (filled.get_attribute("fill"), filled.get_attribute("stroke")) == (f"url(#{name})", f"url(#{name})")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_figures_default_colours_follow_the_theme_and_chosen_ones_stay(staged: Staged, theme: Theme) -> None:
    page = staged[0].page
    page.emulate_media(color_scheme=theme)
    results = shown(staged, figure())
    colour = "element => getComputedStyle(element)"
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert results.locator("svg [data-fill=text]").first.evaluate(f"{colour}.fill") == ink
    assert results.locator("svg [data-fill=background]").evaluate(f"{colour}.fill") == (
        "rgb(255, 255, 255)" if theme == "light" else "rgb(28, 32, 36)"
    )
    assert results.locator("svg [clip-path] > path").evaluate(f"{colour}.stroke") == "rgb(31, 119, 180)"


def test_a_figure_is_taken_away_with_its_colours(staged: Staged, tmp_path: Path) -> None:
    results = shown(staged, figure())
    with staged[0].page.expect_download() as download:
        results.get_by_role("button", name="Download SVG").click()
    download.value.save_as(tmp_path / "figure.svg")
    text = (tmp_path / "figure.svg").read_text()
    ElementTree.fromstring(text)
    assert "[data-fill" in text
    assert "var(" not in text


def test_a_png_figure_is_shown_and_taken_away(staged: Staged, tmp_path: Path) -> None:
    results = shown(staged, figure(None, PIXEL))
    picture = results.get_by_role("img", name="Figure: Loss of a run, step 步数")
    assert picture.evaluate("async image => (await image.decode(), image.naturalWidth)") == 1
    with staged[0].page.expect_download() as download:
        results.get_by_role("button", name="Download PNG").click()
    download.value.save_as(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG\r\n")


def test_a_figure_that_is_not_drawn_says_why(staged: Staged) -> None:
    results = shown(staged, figure(None, None, "This figure is too large."))
    expect(results).to_contain_text("This figure is too large.")
    expect(results.get_by_role("button", name="Full screen", exact=True)).to_have_count(0)


def test_a_figure_fills_the_screen_and_comes_back(staged: Staged) -> None:
    results = shown(staged, figure())
    results.get_by_role("button", name="Full screen", exact=True).click()
    results.get_by_role("button", name="Leave full screen").click()
    expect(results.get_by_role("button", name="Full screen", exact=True)).to_be_visible()


@pytest.mark.parametrize(("lang", "looks"), LOOKS)
def test_axe_finds_nothing_to_object_to_in_records(
    stage: tuple[str, StagedRunner], first_visit: Callable[..., Page], lang: str, looks: Looks
) -> None:
    address, runner = stage
    checks = [PROJECTED, LARGE, gradcheck(**DOUBLED, order=2), gradcheck(**ZERO, order=2)]
    runner.plays = [show(figure(), figure(None, PIXEL), fault(), fault(), unknown(), unknown(), *checks)]
    page = first_visit(address, f"/{lang}/backward-twice/sinh-bad", width=looks[0][1])
    lesson = LessonPage(page)
    lesson.run()
    for summary in lesson.results().locator("summary").all():
        summary.click()
    for _, width in looks:
        resize(page, width)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert violations_in_each(page, looks[::-1], within='[data-cell="sinh-bad"]') == {}
