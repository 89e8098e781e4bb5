"""The card that says what is wrong with a program, from recorded JSON: what it shows, underlines, opens and changes."""

import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, Page, expect

from app.protocol.event import RunEvent
from app.protocol.outcome import Outcome
from app.protocol.run import Frame, RunError, RunOrder, RunResult
from tests.browser.conftest import resize
from tests.browser.finding_records import NAMES, diagnosis, examined, hint, mendable, warning
from tests.browser.lesson_page import LessonPage
from tests.browser.records import gradcheck
from tests.browser.staged_runner import Play, StagedRunner, show
from tests.browser.test_accessibility import LOOKS, Looks, violations_in_each
from tests.browser.trace_records import CELL, CLASS, sinh_bad_graph, sinh_bad_trace

Staged = tuple[LessonPage, StagedRunner]
Record = dict[str, Any]
FRAMES = [
    Frame(cell=CELL, line=5, column=12, function="<module>", source="(grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)"),
    Frame(cell=CLASS, line=13, column=8, function="backward", source="        return grad_output * (ctx.up + ctx.down) / 2"),
]
ERROR = RunError(
    type="RuntimeError",
    message="RuntimeError: one of the variables was modified by an inplace operation.\nHint: enable anomaly detection.",
    cell=CELL,
    line=5,
    column=12,
    explanation="A tensor that backward needs was changed in place.",
    pitfall="saved-modified",
    traceback=FRAMES,
)
READY = "name => document.querySelector(`code-cell[data-cell=${name}]`).cell.trace.phase.value === 'ready'"
SENTENCE = "forward saves ctx.up, which is neither an input nor an output; backward uses it in line 13."
UNEXPLAINED = RunError(type="ValueError", message="ValueError: no", cell=CELL, line=4, column=0)


@pytest.fixture(autouse=True)
def a_new_learner(staged: Staged) -> None:
    """One learner may ask for second runs only as often as a person would, and each of these tests asks for one."""
    page = staged[0].page
    page.context.clear_cookies()
    page.context.request.get(page.url)  # brings another learner's cookie


@pytest.fixture(scope="module")
def graph() -> Record:
    return sinh_bad_graph()


@pytest.fixture(scope="module")
def trace() -> list[Record]:
    """Return the records of SinhBad's second run, with the ids by which diagnoses refer to them."""
    kinds: list[str] = []
    named = []
    for record in sinh_bad_trace():
        kinds.append(record["kind"])
        named.append({**record, "id": f"{record['kind']}-{kinds.count(record['kind'])}"})
    return named


@pytest.fixture
def find(staged: Staged, graph: Record, trace: list[Record]) -> Callable[..., Locator]:
    """Run SinhBad's graph cell with these records added to the second run, and return the card of findings."""
    lesson, runner = staged

    def run(*records: Record, first: Play | None = None) -> Locator:
        runner.plays = [first or show(graph)]
        runner.second = show(graph, *trace, *records)
        lesson.run(CELL)
        lesson.page.wait_for_function(READY, arg=CELL)
        lesson.is_drawn()
        return lesson.results(CELL).locator("run-findings")

    return run


def failing(error: RunError, *records: Record, outcome: Outcome = Outcome.RAISED) -> Play:
    """A run that shows records and then fails."""
    shown = show(*records)

    async def play(order: RunOrder) -> AsyncIterator[RunEvent]:
        async for event in shown(order):
            yield replace(event, outcome=outcome, error=error) if isinstance(event, RunResult) else event

    return play


def underlined(lesson: LessonPage, cell: str) -> list[str]:
    return lesson.cell(cell).locator(".cm-fault").all_text_contents()


def line_of_cursor(lesson: LessonPage, cell: str) -> int:
    return int(lesson.view("view.state.doc.lineAt(view.state.selection.main.head).number", cell))


def put_cursor(lesson: LessonPage, cell: str, line: int) -> None:
    lesson.editor(cell).focus()
    lesson.view(f"view.dispatch({{ selection: {{ anchor: view.state.doc.line({line}).from }} }})", cell)


@pytest.mark.same_page
@pytest.mark.parametrize(("severity", "word"), [("error", "Problem"), ("warning", "Warning"), ("hint", "Hint")])
def test_a_finding_says_how_serious_it_is_what_is_wrong_what_to_change_and_where(
    staged: Staged, find: Callable[..., Locator], severity: str, word: str
) -> None:
    lesson, _ = staged
    card = find(diagnosis(severity=severity))
    expect(card.locator(".finding")).to_have_count(1)
    expect(card.locator(".sign")).to_have_text(f"{word}:")
    expect(card.locator(".what")).to_have_text(
        "forward saves ctx.up, which is neither an input nor an output; backward uses it in line 13."
    )
    expect(card.locator(".what code")).to_have_text("ctx.up")
    expect(card.locator(".change")).to_have_text("Save x, and compute ctx.up again in backward.")
    expect(card.get_by_role("link", name="About this")).to_have_attribute("href", "/en/pitfalls/saved-intermediate")
    expect(card.get_by_role("link", name="Read more in the lesson")).to_have_attribute("href", "/en/own-functions/why")
    expect(lesson.page.locator("#live")).to_contain_text(f"{word}: forward saves")
    card.get_by_role("button", name="line 7 of cell 1").click()
    assert line_of_cursor(lesson, CLASS) == 7


@pytest.mark.same_page
def test_what_is_missing_of_a_finding_is_left_out_and_its_texts_are_no_markup(find: Callable[..., Locator]) -> None:
    card = find(diagnosis(message="", change="<b>no</b>", lesson=None, title=""))
    expect(card.locator(".what")).to_have_text("saved-intermediate")
    expect(card.locator(".change")).to_have_text("<b>no</b>")
    expect(card.get_by_role("link")).to_have_count(0)
    expect(card.locator(".finding-acts")).to_have_count(0)  # no evidence, no edits


@pytest.mark.same_page
def test_a_diagnosis_of_the_first_run_has_the_same_card(staged: Staged) -> None:
    lesson, runner = staged
    runner.plays = [show(gradcheck([[1.0]], [[2.0]]), diagnosis(span={"cell": None, "line": 3}))]
    lesson.run(CELL)
    results = lesson.results(CELL)
    expect(results.locator(".finding .what")).to_contain_text("forward saves ctx.up")
    expect(results.locator(".result-records > * > .panel")).to_have_count(1)
    expect(lesson.page.locator("#live")).to_contain_text("Problem")
    assert underlined(lesson, CELL) == [lesson.text(CELL).split("\n")[2]]


@pytest.mark.same_page
def test_an_error_is_a_sentence_with_its_message_and_frames_folded(staged: Staged) -> None:
    lesson, runner = staged
    runner.plays = [failing(ERROR)]
    lesson.run(CELL)
    card = lesson.results(CELL).locator("run-findings")
    expect(card.locator(".what")).to_have_text("A tensor that backward needs was changed in place.")
    expect(card.get_by_text("Hint: enable anomaly detection.")).to_be_hidden()
    card.get_by_text("PyTorch’s message").click()
    expect(card.get_by_text("Hint: enable anomaly detection.")).to_be_visible()
    card.get_by_text("How it got there").click()
    card.get_by_role("button", name="line 13").click()
    assert line_of_cursor(lesson, CLASS) == 13
    assert underlined(lesson, CELL) == ["torch.autograd.grad(out.sum(), x, create_graph=True)"]


@pytest.mark.same_page
def test_an_error_without_an_explanation_says_its_message(staged: Staged) -> None:
    lesson, runner = staged
    runner.plays = [failing(UNEXPLAINED)]
    lesson.run(CELL)
    card = lesson.results(CELL).locator("run-findings")
    expect(card.locator(".what")).to_have_text("ValueError: no")
    expect(card.locator("details")).to_have_count(0)
    card.get_by_role("button", name="line 4").click()
    assert line_of_cursor(lesson, CELL) == 4


@pytest.mark.same_page
def test_the_second_run_fills_in_the_card_of_the_error(staged: Staged, find: Callable[..., Locator], graph: Record) -> None:
    lesson, _ = staged
    card = find(hint(), diagnosis("saved-modified", change="Write `x * 2`."), first=failing(ERROR, graph))
    expect(card.locator(".finding")).to_have_count(1)
    expect(card.locator(".what")).to_have_text("A tensor that backward needs was changed in place.")
    expect(card.locator(".change")).to_have_text("Write x * 2.")
    expect(card.get_by_text("PyTorch’s message")).to_be_visible()
    expect(card.get_by_role("button", name="line 7 of cell 1")).to_be_visible()
    expect(card.get_by_role("button", name="1 more")).to_be_visible()
    assert (underlined(lesson, CLASS), underlined(lesson, CELL)) == (["ctx.up = torch.exp(x)"], [])


@pytest.mark.same_page
def test_what_explains_an_error_stands_first_and_the_error_under_it(find: Callable[..., Locator], graph: Record) -> None:
    card = find(diagnosis(explains=["saved-modified"]), first=failing(ERROR, graph))
    expect(card.locator(".what")).to_contain_text("forward saves ctx.up")
    expect(card.get_by_text("A tensor that backward needs was changed in place.")).to_be_hidden()
    card.get_by_text("1 more follows from this").click()
    expect(card.get_by_text("A tensor that backward needs was changed in place.")).to_be_visible()
    expect(card.get_by_role("button", name="more")).to_have_count(0)


@pytest.mark.same_page
def test_the_others_are_one_line_each_and_the_chosen_one_moves_the_underline(staged: Staged, find: Callable[..., Locator]) -> None:
    lesson, _ = staged
    card = find(diagnosis(), warning(), hint())
    assert underlined(lesson, CLASS) == ["ctx.up = torch.exp(x)"]
    expect(card.locator(".finding")).to_have_count(1)
    more = card.get_by_role("button", name="2 more")
    expect(more).to_have_attribute("aria-expanded", "false")
    more.focus()
    lesson.page.keyboard.press("Enter")
    expect(card.locator(".finding")).to_have_count(3)
    expect(card.locator(".finding.closed .unseen")).to_have_text(["Warning: ", "Hint: "])
    expect(card.locator(".finding.closed .line-link")).to_have_text(["line 13 of cell 1", "line 11 of cell 1"])
    card.get_by_role("button", name="Warning: The gradient of x").focus()
    lesson.page.keyboard.press("Enter")
    expect(card.locator(".finding:not(.closed) .what")).to_be_focused()
    expect(card.locator(".finding:not(.closed) .what")).to_have_text("The gradient of x is half of what it should be.")
    expect(card.locator(".finding").nth(0)).to_have_class("finding closed")
    assert underlined(lesson, CLASS) == ["return grad_output * (ctx.up + ctx.down) / 2"]
    card.get_by_role("button", name="Show only one").click()
    expect(card.locator(".finding")).to_have_count(1)
    expect(card.locator(".what")).to_contain_text("The gradient of x")


@pytest.mark.same_page
def test_the_underline_repeats_the_sentence_to_the_pointer_and_the_keyboard(staged: Staged, find: Callable[..., Locator]) -> None:
    lesson, _ = staged
    find(warning())
    sentence = lesson.cell(CLASS).locator(".cm-sentence")
    lesson.cell(CLASS).locator(".cm-fault").first.hover()
    expect(sentence).to_have_text("The gradient of x is half of what it should be.")
    lesson.page.mouse.move(0, 0)
    expect(sentence).to_have_count(0)
    put_cursor(lesson, CLASS, 12)
    lesson.page.keyboard.press("End")
    expect(sentence).to_have_count(0)
    lesson.page.keyboard.press("ArrowDown")
    expect(sentence).to_have_text("The gradient of x is half of what it should be.")
    expect(lesson.cell(CLASS).locator(".cm-announced")).to_contain_text("Warning: The gradient of x is half")
    lesson.page.keyboard.press("Escape")
    expect(sentence).to_have_count(0)


def test_an_underline_goes_with_its_line_and_ends_when_the_line_is_edited(staged: Staged, find: Callable[..., Locator]) -> None:
    lesson, _ = staged
    find(warning())
    put_cursor(lesson, CLASS, 1)
    lesson.page.keyboard.insert_text("# 😀\n")
    assert underlined(lesson, CLASS) == ["return grad_output * (ctx.up + ctx.down) / 2"]
    put_cursor(lesson, CLASS, 14)
    lesson.page.keyboard.insert_text(" ")
    assert underlined(lesson, CLASS) == []


def test_a_change_is_previewed_applied_and_undone(staged: Staged, find: Callable[..., Locator]) -> None:
    lesson, _ = staged
    before = lesson.text(CLASS)
    card = find(mendable())
    preview, apply, undo = (card.get_by_role("button", name=name) for name in ("Preview change", "Apply", "Undo"))
    preview.click()
    expect(apply).to_be_focused()
    removed, added = card.locator(".change-hunk del"), card.locator(".change-hunk ins")
    expect(removed).to_have_text(["7− ctx.up = torch.exp(x)", "13− return grad_output * (ctx.up + ctx.down) / 2"])
    expect(added.locator("mark")).to_have_text(["torch.exp(x.clone())", "return 1 *"])
    card.get_by_role("button", name="Cancel").click()
    expect(preview).to_be_focused()
    assert lesson.text(CLASS) == before
    preview.click()
    apply.click()
    expect(undo).to_be_focused()
    expect(card.get_by_role("status")).to_contain_text("The program is changed.")
    after = lesson.text(CLASS)
    assert "ctx.up = torch.exp(x.clone())" in after and "return 1 * grad_output * (ctx.up + ctx.down) / 2" in after
    undo.click()
    assert lesson.text(CLASS) == before
    expect(preview).to_be_focused()
    preview.click()
    apply.click()
    lesson.editor(CLASS).focus()
    lesson.page.keyboard.press("Control+z")
    assert lesson.text(CLASS) == before  # one step


def test_no_change_is_offered_for_a_text_that_did_not_run(staged: Staged, find: Callable[..., Locator]) -> None:
    lesson, _ = staged
    card = find(mendable())
    preview = card.get_by_role("button", name="Preview change")
    preview.click()
    put_cursor(lesson, CLASS, 2)
    lesson.page.keyboard.insert_text("y")
    expect(card.get_by_role("button", name="Apply")).to_have_count(0)
    expect(preview).to_have_count(0)
    lesson.page.keyboard.press("Backspace")
    expect(card.get_by_role("button", name="Apply")).to_be_visible()


@pytest.mark.same_page
def test_show_me_opens_the_row_of_what_was_saved(staged: Staged, find: Callable[..., Locator]) -> None:
    card = find(mendable())
    card.get_by_role("button", name="Show me where").click()
    row = staged[0].results(CELL).locator("[data-tensor='t-ctx.up']")
    expect(row).to_be_focused()
    expect(row).to_contain_text("ctx.up")


@pytest.mark.same_page
def test_show_me_opens_the_step_the_missing_path_and_the_check(staged: Staged, find: Callable[..., Locator], graph: Record) -> None:
    lesson, _ = staged
    results = lesson.results(CELL)
    find(warning(evidence=["replay-1", "n0"])).get_by_role("button", name="Show me where").click()
    expect(results.locator(".pass-words")).to_contain_text("SinhBad receives [1, 1, 1]")
    find(warning(evidence=["traced_graph-1"])).get_by_role("button", name="Show me where").click()
    expect(results.locator(".missing-path").first).to_have_class("missing-path pointed")
    check = gradcheck([[1.0]], [[2.0]], id="gradcheck-1")
    find(warning(evidence=["gradcheck-1"]), first=show(graph, check)).get_by_role("button", name="Show me where").click()
    expect(results.locator("jacobian-view h3")).to_be_focused()


@pytest.mark.same_page
def test_what_the_probes_found_in_order_is_one_line_that_opens(staged: Staged, find: Callable[..., Locator]) -> None:
    find(examined(*NAMES))
    line = staged[0].results(CELL).locator(".probes")
    expect(line.locator("summary")).to_have_text("Beyond gradcheck: 8 of 8 hold")
    expect(line.get_by_text("it is linear in the incoming gradient")).to_be_hidden()
    line.locator("summary").click()
    expect(line.locator("li")).to_have_count(8)
    expect(line.get_by_text("it is linear in the incoming gradient")).to_be_visible()


@pytest.mark.same_page
def test_nothing_is_said_to_hold_where_a_probe_failed(staged: Staged, find: Callable[..., Locator]) -> None:
    find(examined(*NAMES[:4]), examined("linear", failed=["gradient"], function="Other"))
    expect(staged[0].results(CELL).locator(".panel").first).to_be_visible()
    expect(staged[0].results(CELL).locator(".probes")).to_have_count(0)


def test_nothing_of_the_doctor_is_said_while_a_prediction_is_open(staged: Staged) -> None:
    lesson, runner = staged
    asked = "cell => { cell.cell.predictions.value = [{ told: { value: null } }]; }"
    lesson.cell(CELL).evaluate(asked)
    runner.plays = [show(sinh_bad_graph(), diagnosis(), examined(*NAMES))]
    lesson.run(CELL)
    expect(lesson.results(CELL).locator("graph-view .node").first).to_be_visible()
    expect(lesson.results(CELL).locator(".finding, .probes")).to_have_count(0)
    assert underlined(lesson, CLASS) == []
    lesson.cell(CELL).evaluate("cell => { cell.cell.predictions.value = []; }")
    expect(lesson.results(CELL).locator(".finding")).to_have_count(1)
    expect(lesson.results(CELL).locator(".probes")).to_have_count(1)


@pytest.mark.same_page
def test_a_card_can_leave_out_the_change_and_the_line(find: Callable[..., Locator]) -> None:
    card = find(mendable(), warning())
    card.evaluate("card => { card.reach = 'place'; }")
    expect(card.locator(".change, .preview-change")).to_have_count(0)
    expect(card.get_by_role("button", name="line 7 of cell 1")).to_be_visible()
    card.evaluate("card => { card.reach = 'kind'; }")
    expect(card.locator(".finding")).to_have_count(1)  # the other one has no name
    expect(card.locator(".finding")).to_have_text("Problem: An intermediate result is saved")
    expect(card.get_by_role("button")).to_have_count(0)


def test_the_card_of_an_error_stays_while_the_second_run_is_awaited(staged: Staged, graph: Record, trace: list[Record]) -> None:
    lesson, runner = staged
    gate = threading.Event()
    runner.plays, runner.second = [failing(ERROR, graph)], show(graph, *trace, diagnosis("saved-modified"), gate=gate)
    lesson.run(CELL)
    what = lesson.results(CELL).locator(".finding .what")
    expect(what).to_be_visible()
    what.evaluate("what => { what.marked = true; }")
    gate.set()
    expect(lesson.results(CELL).locator(".finding .change")).to_be_visible()
    assert what.evaluate("what => what.marked")


@pytest.mark.parametrize(("lang", "looks"), LOOKS)
def test_findings_are_accessible_and_fit(
    stage: tuple[str, StagedRunner], first_visit: Callable[..., Page], graph: Record, trace: list[Record], lang: str, looks: Looks
) -> None:
    address, runner = stage
    runner.plays = [failing(ERROR, graph)]
    runner.second = show(graph, *trace, mendable(), warning(explains=["saved-modified"]), hint(), examined(*NAMES))
    page = first_visit(address, f"/{lang}/backward-twice/sinh-bad", width=looks[0][1])
    lesson = LessonPage(page)
    lesson.run(CELL)
    card = lesson.results(CELL).locator("run-findings")
    card.locator(".preview-change").click()
    card.locator(".more-findings").click()
    for summary in lesson.results(CELL).locator("run-findings summary, probes-held summary").all():
        summary.click()
    for _, width in looks:
        resize(page, width)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    page.evaluate("scrollTo(0, 0)")  # so that the page's bar covers no button
    assert violations_in_each(page, looks[::-1], within=f'[data-cell="{CELL}"]') == {}


def test_a_text_that_ran_has_no_marks_and_one_that_has_not_run_has_nothing_else(staged: Staged, find: Callable[..., Locator]) -> None:
    lesson, _ = staged
    mark = "cell => { cell.cell.marks.value = { text: %s, underlines: [{ span: { line: 1 }, message: 'No.', severity: 'hint' }] }; }"
    find(warning())
    put_cursor(lesson, CELL, 1)
    lesson.page.keyboard.insert_text("# edited\n")
    lesson.cell(CELL).evaluate(mark % "'another text'")
    assert underlined(lesson, CELL) == []
    lesson.cell(CELL).evaluate(mark % "cell.cell.text.value")
    assert underlined(lesson, CELL) == ["# edited"]
    lesson.run(CELL)
    assert underlined(lesson, CELL) == []


@pytest.mark.same_page
def test_a_pass_that_is_folded_lights_nothing_beside_the_underline(
    staged: Staged, find: Callable[..., Locator], trace: list[Record]
) -> None:
    lesson, runner = staged
    passed = {**trace[0], "graph": 0, "id": "traced_graph-9"}
    runner.plays, runner.second = [show()], show(passed, {**trace[1], "graph": "traced_graph-9"}, warning())
    lesson.run(CELL)
    fold = lesson.results(CELL).locator("details.one-line").first
    expect(fold.locator("graph-view")).to_have_count(1)
    expect(lesson.cell(CLASS).locator(".cm-fault")).to_have_count(1)
    fold.locator(":scope > summary").click()
    slider = fold.get_by_role("slider")
    slider.press("ArrowRight")
    expect(lesson.cell(CLASS).locator(".cm-lit")).to_have_count(1)
    fold.locator(":scope > summary").click()
    expect(lesson.cell(CLASS).locator(".cm-lit")).to_have_count(0)
