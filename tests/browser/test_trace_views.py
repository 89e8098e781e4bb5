"""The views Graph, Steps and Saved of a second run, from recorded JSON: what each says, and how it is walked through."""

import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from app.runner.client import RuntimeAbsence, RuntimeAbsent
from tests.browser.conftest import SINH_BAD
from tests.browser.graph_menu import choose
from tests.browser.lesson_page import LessonPage
from tests.browser.staged_runner import StagedRunner, show
from tests.browser.task_page import TaskPage
from tests.browser.trace_records import (
    CELL,
    CLASS,
    gradient,
    kept,
    replay,
    saved,
    sinh_bad_graph,
    sinh_bad_saved,
    sinh_bad_trace,
    sinh_bad_traced,
    span,
    step,
)

Staged = tuple[LessonPage, StagedRunner]
Record = dict[str, Any]
SLIDER = "Step of the backward pass"


@pytest.fixture(scope="module")
def graph() -> Record:
    return sinh_bad_graph()


@pytest.fixture(scope="module")
def trace() -> list[Record]:
    return sinh_bad_trace()


@pytest.fixture(autouse=True)
def a_new_learner(staged: Staged) -> None:
    """One learner may ask for second runs only as often as a person would, and each of these tests asks for one."""
    page = staged[0].page
    page.context.clear_cookies()
    page.context.request.get(page.url)  # brings another learner's cookie


@pytest.fixture
def traced(staged: Staged, graph: Record, trace: list[Record]) -> Iterator[Callable[..., Locator]]:
    """Run SinhBad's graph cell, and return the view of its graph. The second run adds these records, or SinhBad's own."""
    lesson, runner = staged

    def run(*records: Record, view: str = "Graph") -> Locator:
        runner.plays = [show(graph)]
        runner.second = show(graph, *(records or trace))
        lesson.run(CELL)
        shown = lesson.results(CELL).locator("graph-view").first
        shown.get_by_role("button", name=view, exact=True).click()
        expect(
            shown.locator({"Graph": ".graph", "Steps": "steps-view > *", "Saved": ".saved-call, .panel-meaning"}[view]).first
        ).to_be_visible()
        return shown

    yield run
    lesson.page.mouse.move(0, 0)


def node(view: Locator, name: str) -> Locator:
    return view.locator(f'.graph [data-node="{name}"]')


def steps_of(view: Locator) -> Locator:
    return view.locator("steps-view")


def slider(view: Locator) -> Locator:
    return view.get_by_role("slider", name=SLIDER)


def words(view: Locator) -> Locator:
    return view.locator(".pass-words")


def labels(view: Locator) -> list[str]:
    """Return the labels of the edges. Those of the current step begin with a star."""
    read = "texts => texts.map(text => (text.classList.contains('now') ? '*' : '') + text.textContent)"
    return [*view.locator(".flows text").evaluate_all(read)]


def lit(lesson: LessonPage, cell: str) -> Locator:
    return lesson.cell(cell).locator(".cm-lit")


def notes(lesson: LessonPage, cell: str) -> Locator:
    return lesson.cell(cell).locator(".cm-line-note")


def walk(view: Locator) -> list[str]:
    """Go through all steps with the slider's keys, and return the sentence of each."""
    slider(view).focus()
    view.page.keyboard.press("Home")
    count = int(slider(view).get_attribute("max") or 0)
    said = []
    for number in range(1, count + 1):
        expect(view.locator(".count")).to_have_text(f"Step {number} of {count}")
        said.append(words(view).inner_text().strip())
        view.page.keyboard.press("ArrowRight")
    return said


NONE_AND_ZEROS = step("n1", "MulBackward0", [gradient(2.0)], {"n0": gradient([0.0] * 3, 3), "t2_grad": None})
MEETING = step("n0", "SinhBadBackward", [gradient(1.0), gradient(2.0)], {"n0": gradient(3.0)}, kind="sum")
SENDING = step("n0", "SinhBadBackward", [gradient(3.0)], {"t2_grad": gradient(6.0), None: None}, span=span(13, 8, 52, CLASS))
GROWING = step("t2_grad", "AccumulateGrad", [gradient(6.0)], {}, grad=gradient(8.0))
FAILING = step("n0", "SinhBadBackward", [gradient(3.0)], {}, failed=True, span=span(13, 8, 52, CLASS))
HEAT = [[float(10 * row + column) for column in range(6)] for row in range(5)]


@pytest.mark.same_page
def test_the_graph_shows_the_missing_path_dashed_and_in_words_with_links(staged: Staged, traced: Callable[..., Locator]) -> None:
    lesson, _ = staged
    view = traced()
    edge = view.locator('.graph .edge.missing[data-source="t2"][data-target="t1"]')
    expect(edge).to_have_count(1)
    assert edge.locator(".line").evaluate("line => getComputedStyle(line).strokeDasharray") != "none"
    told = view.locator(".missing-path")
    expect(told).to_contain_text("forward computes ctx.up, ctx.down from x while nothing is recorded")
    told.get_by_role("button", name="line 7").click()
    assert lesson.view("view.state.doc.lineAt(view.state.selection.main.head).number", CLASS) == 7
    told.get_by_role("button", name="line 13").click()
    assert lesson.view("view.state.doc.lineAt(view.state.selection.main.head).number", CLASS) == 13


@pytest.mark.same_page
def test_a_selected_node_has_a_card_with_its_line_and_what_it_saved(staged: Staged, traced: Callable[..., Locator]) -> None:
    lesson, _ = staged
    view = traced()
    node(view, "n0").click()
    card = view.locator(".graph-details")
    expect(card).to_contain_text("SinhBadBackward")
    expect(card).to_contain_text("Saved ctx.up, ctx.down.")
    expect(card.get_by_role("button", name="line 4")).to_be_visible()
    expect(lit(lesson, CELL)).to_have_text("SinhBad.apply(x)")
    expect(lit(lesson, CLASS)).to_have_count(0)
    lesson.page.mouse.move(0, 0)
    view.locator(".stage-area").press("Escape")
    expect(view.locator(".missing-path")).to_be_visible()
    expect(lit(lesson, CELL)).to_have_count(0)


@pytest.mark.same_page
def test_a_node_under_the_pointer_lights_its_span_and_the_line_of_the_cursor_marks_its_nodes(
    staged: Staged, traced: Callable[..., Locator]
) -> None:
    lesson, _ = staged
    view = traced()
    node(view, "n0-up").hover()
    expect(lit(lesson, CLASS)).to_have_text("ctx.up = torch.exp(x)")
    lesson.page.mouse.move(0, 0)
    expect(lit(lesson, CLASS)).to_have_count(0)
    lesson.editor(CELL).focus()
    lesson.page.keyboard.press("Control+Home")
    for _ in range(3):
        lesson.page.keyboard.press("ArrowDown")
    expect(view.locator(".graph .match")).to_have_attribute("data-node", "n0")
    lesson.page.keyboard.press("ArrowDown")
    expect(view.locator(".graph .match")).to_have_count(0)


@pytest.mark.same_page
def test_pytorch_s_own_node_has_its_formulas(traced: Callable[..., Locator], trace: list[Record]) -> None:
    own, *others = trace
    named = [one | {"kind": "function", "label": "SinBackward0"} if one["id"] == "n0" else one for one in own["nodes"]]
    view = traced(own | {"nodes": named}, *others)
    node(view, "n0").click()
    expect(view.locator(".formulas")).to_have_text("self: grad * self.cos().conj()")


@pytest.mark.same_page
def test_the_picture_of_the_second_run_leaves_the_list_open_and_what_is_selected(
    staged: Staged, graph: Record, trace: list[Record]
) -> None:
    lesson, runner = staged
    gate = threading.Event()
    runner.plays, runner.second = [show(graph)], show(graph, *trace, gate=gate)
    lesson.run(CELL)
    view = lesson.results(CELL).locator("graph-view")
    choose(view, "As a list")
    node(view, "n0").click()
    expect(view.locator(".twin-list tbody tr")).to_have_count(5)
    gate.set()
    expect(view.locator(".graph .node")).to_have_count(7)
    expect(view.locator(".twin-list tbody tr")).to_have_count(7)
    expect(node(view, "n0")).to_have_class(re.compile("selected"))


@pytest.mark.same_page
def test_steps_are_walked_by_slider_keys_and_buttons(staged: Staged, traced: Callable[..., Locator]) -> None:
    lesson, _ = staged
    view = traced(view="Steps")
    back, forward = (view.get_by_role("button", name=f"Step {way}") for way in ("back", "forward"))
    expect(back).to_be_disabled()
    expect(view.locator(".graph .running")).to_have_count(0)  # the sum is not in this picture
    forward.click()
    expect(view.locator(".graph .running")).to_have_attribute("data-node", "n0")
    expect(words(view)).to_have_text("SinhBad receives [1, 1, 1] and sends [1.13, 1.54, 3.76] to x. line 13 of cell 1")
    expect(slider(view)).to_have_attribute("aria-valuetext", "Step 2 of 3: SinhBad receives [1, 1, 1] and sends [1.13, 1.54, 3.76] to x.")
    expect(lit(lesson, CLASS)).to_have_text("return grad_output * (ctx.up + ctx.down) / 2")
    expect(notes(lesson, CLASS)).to_have_text(["ctx.up: (3,)", "ctx.down: (3,)", "(3,) → (3,)"])
    assert labels(view) == ["*[1.1, 1.5, 3.8]"]
    slider(view).press("ArrowRight")
    expect(words(view)).to_have_text("grad returns [1.13, 1.54, 3.76] for x.")
    expect(forward).to_be_disabled()
    expect(back).to_be_enabled()
    expect(notes(lesson, CLASS)).to_have_count(0)
    assert labels(view) == ["[1.1, 1.5, 3.8]"]
    slider(view).press("Home")
    expect(words(view)).to_have_text("Sum receives 1 and sends [1, 1, 1] to SinhBad.")
    expect(back).to_be_disabled()
    assert labels(view) == []
    view.get_by_role("button", name="Graph", exact=True).click()
    expect(lit(lesson, CLASS)).to_have_count(0)


@pytest.mark.same_page
def test_each_kind_of_step_has_its_sentence(traced: Callable[..., Locator]) -> None:
    view = traced(sinh_bad_traced(), replay(NONE_AND_ZEROS, MEETING, SENDING, GROWING, line=5, call="backward"), view="Steps")
    assert walk(view) == [
        "Mul receives 2 and sends [0, 0, 0] to SinhBad, None to x.",
        "Gradients meet at SinhBad: 1 + 2 = 3.",
        "SinhBad receives 3 and sends 6 to x. line 13 of cell 1",
        "x receives 6; its .grad is now 8.",
    ]
    assert labels(view) == ["6"]
    expect(view.locator(".graph .running")).to_have_attribute("data-node", "t2_grad")


@pytest.mark.same_page
def test_a_step_leaves_the_labels_of_other_edges_as_they_are(traced: Callable[..., Locator]) -> None:
    """With hundreds of them, to draw all again takes longer than a frame."""
    first = step("n0_0", "SumBackward0", [gradient(1.0)], {"n0": gradient(1.0)})
    view = traced(sinh_bad_traced(), replay(first, SENDING, GROWING), view="Steps")
    view.get_by_role("button", name="Step forward").click()
    expect(view.locator(".flows text")).to_have_count(2)
    view.locator(".flows text").evaluate_all("texts => texts.forEach((text, index) => { text.number = index; })")
    for key, seen in (("ArrowRight", [0, 1]), ("ArrowLeft", [0, 1]), ("ArrowLeft", [0]), ("ArrowRight", [0, 1])):
        slider(view).press(key)
        expect(view.locator(".flows text")).to_have_count(len(seen))
        assert view.locator(".flows text").evaluate_all("texts => texts.map(text => text.number)") == seen
    expect(view.locator(".graph .flowing")).to_have_attribute("data-source", "t2_grad")


@pytest.mark.same_page
def test_none_and_zeros_are_told_apart_beside_the_edges(traced: Callable[..., Locator]) -> None:
    zeros = step("n0", "SinhBadBackward", [gradient(3.0)], {"t2_grad": gradient([0.0] * 3, 3)})
    none = step("n0", "SinhBadBackward", [gradient(3.0)], {"t2_grad": None})
    view = traced(sinh_bad_traced(), replay(zeros, number=1, of=2), replay(none, number=2, of=2), view="Steps")
    assert labels(view) == ["*0 (3,)"]
    expect(words(view)).to_have_text("SinhBad receives 3 and sends [0, 0, 0] to x.")
    view.get_by_role("combobox", name="Backward pass").select_option(index=1)
    expect(words(view)).to_have_text("SinhBad receives 3 and sends None to x.")
    assert labels(view) == ["*None"]


@pytest.mark.same_page
def test_a_failed_step_shows_its_node_and_what_it_had_received(traced: Callable[..., Locator]) -> None:
    view = traced(sinh_bad_traced(), replay(FAILING, raised=True), view="Steps")
    expect(words(view)).to_have_text("SinhBad received 3 and raised an exception. line 13 of cell 1")
    expect(view.locator(".graph .failed")).to_have_attribute("data-node", "n0")
    expect(view.locator(".graph .running")).to_have_count(0)


@pytest.mark.same_page
def test_several_passes_are_named_by_their_lines_in_a_menu(traced: Callable[..., Locator]) -> None:
    view = traced(view="Steps")
    slider(view).press("End")
    menu = view.get_by_role("combobox", name="Backward pass")
    expect(menu.locator("option")).to_have_text(["grad() in line 5 (1 of 2)", "grad() in line 11 (2 of 2)"])
    menu.select_option(index=1)
    expect(words(view)).to_have_text("The pass raised an exception before any node ran.")
    for name in ("Step back", "Step forward"):
        expect(view.get_by_role("button", name=name)).to_be_disabled()
    assert labels(view) == []


@pytest.mark.same_page
def test_a_large_gradient_is_a_heatmap_whose_entries_arrow_keys_read(traced: Callable[..., Locator]) -> None:
    heat = step("n0", "SinhBadBackward", [gradient(HEAT, 5, 6)], {"t2_grad": gradient([[1.0, 2.0], [3.0, 4.0]], 2, 2)})
    view = traced(sinh_bad_traced(), replay(heat, SENDING), view="Steps")
    small, large = view.get_by_role("table", name="to x"), view.get_by_role("table", name="received")
    expect(small.locator("td")).to_have_text(["1", "2", "3", "4"])
    told = view.locator(".gradient-figure [role=status]")
    expect(told).to_have_text("Point at an entry to read it.")
    large.focus()
    expect(told).to_have_text("[0, 0] 0")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        large.press(key)
    expect(told).to_have_text("[2, 1] 21")
    large.press("ArrowUp")
    expect(told).to_have_text("[1, 1] 11")
    large.locator("td").nth(29).hover()
    expect(told).to_have_text("[4, 5] 45")
    expect(view.locator(".count")).to_have_text("Step 1 of 2")  # these keys move no step


def test_play_goes_on_by_itself_until_the_end_or_until_it_is_paused(
    stage: tuple[str, StagedRunner], staged: Staged, new_context: Callable[..., BrowserContext], graph: Record, trace: list[Record]
) -> None:
    runner = staged[1]
    runner.plays, runner.second = [show(graph)], show(graph, *trace)
    page = new_context().new_page()
    page.clock.install(time="2030-01-01T08:00:00Z")
    page.goto(stage[0] + SINH_BAD)
    lesson = LessonPage(page)
    lesson.cell(CELL).get_by_role("button", name="Run", exact=True).click()
    view = lesson.results(CELL).locator("graph-view")
    view.get_by_role("button", name="Steps").click()
    count, play = view.locator(".count"), view.get_by_role("button", name="Play")
    expect(play).to_be_visible()
    page.clock.pause_at("2030-01-01T09:00:00Z")  # from now on it goes only where it is told to
    play.click()
    page.clock.run_for(1100)
    expect(count).to_have_text("Step 1 of 3")
    page.clock.run_for(200)
    expect(count).to_have_text("Step 2 of 3")
    view.get_by_role("button", name="Pause").click()
    page.clock.run_for(5000)
    expect(count).to_have_text("Step 2 of 3")
    play.click()
    page.clock.run_for(5000)
    expect(count).to_have_text("Step 3 of 3")
    expect(play).to_be_visible()
    play.click()
    expect(count).to_have_text("Step 1 of 3")


@pytest.mark.same_page
def test_saved_tensors_are_a_table_a_call(staged: Staged, traced: Callable[..., Locator]) -> None:
    lesson, _ = staged
    rows = [
        kept("x", "input", "save_for_backward", storage=3, span=None, retained_after_backward=False),
        kept("ctx.up", storage=1, version_now=2),
        kept("ctx.view", "other", storage=1, shape=[1], bytes=8, span=None),
        kept("y", "output", "closure", storage=4, in_cycle=True, span=None, dtype="torch.float32"),
    ]
    view = traced(sinh_bad_traced(), saved(*rows, of=2, bytes=72, builtin_bytes=24), saved(number=2, of=2), view="Saved")
    expect(view.locator(".stage-area")).to_be_hidden()
    expect(view.locator("h4")).to_have_text(["SinhBad, call 1 of 2 line 4", "SinhBad, call 2 of 2 line 4"])
    table = view.locator("table.saved-tensors")
    columns = [[" ".join(text.split()) for text in table.locator(f"tbody tr > :nth-child({n})").all_inner_texts()] for n in range(1, 7)]
    assert columns == [
        ["x (3,), float64", "ctx.up (3,), float64", "ctx.view (1,), float64", "y (3,), float32"],
        ["save_for_backward", "attribute of ctx line 7 of cell 1", "attribute of ctx", "variable from outside"],
        ["input", "intermediate, neither input nor output", "from elsewhere", "output"],
        ["24", "24 shared with ctx.view", "8 shared with ctx.up", "24"],
        ["0, unchanged", "0, now 2: changed in place", "0, unchanged", "0, unchanged"],
        ["freed", "still kept", "still kept", "still kept, in a reference cycle"],
    ]
    expect(table.locator("tfoot")).to_contain_text("72")
    expect(table.locator("tfoot")).to_contain_text("PyTorch’s own operations would save 24 bytes.")
    expect(view.locator(".saved-call").nth(1)).to_contain_text("It saved no tensors.")
    table.get_by_role("button", name="line 7 of cell 1").click()
    assert lesson.view("view.state.doc.lineAt(view.state.selection.main.head).number", CLASS) == 7


@pytest.mark.same_page
def test_what_cut_a_path_is_said_with_its_line(traced: Callable[..., Locator]) -> None:
    reasons = ("detach", "data", "no_grad", "item", "numpy", "once_differentiable")
    cuts = [{"reason": reason, "method": "backward", "span": span(13, 8, 52, CLASS)} for reason in reasons]
    view = traced(sinh_bad_traced(), sinh_bad_saved() | {"cuts": cuts, "missing": [], "backward_ran": False}, view="Saved")
    told = view.locator(".missing-path")
    expect(told).to_have_text([
        "detach() in backward ends the path of the gradient (line 13 of cell 1).",
        ".data in backward ends the path of the gradient (line 13 of cell 1).",
        "no_grad in backward ends the path of the gradient (line 13 of cell 1).",
        "backward takes a number out of a tensor (line 13 of cell 1), and no gradient follows a number.",
        "backward computes with NumPy (line 13 of cell 1), which records nothing.",
        "once_differentiable allows no second derivative (line 13 of cell 1).",
    ])  # fmt: skip
    expect(view.locator("tbody tr").first.locator("td").last).to_have_text("backward did not run")


@pytest.mark.same_page
def test_a_program_without_custom_functions_and_passes_says_so(traced: Callable[..., Locator]) -> None:
    view = traced(sinh_bad_traced(partial=True), view="Saved")
    expect(view.locator(".panel-meaning").last).to_have_text("No custom Function was called, so there is nothing that one saved.")
    view.get_by_role("button", name="Steps").click()
    expect(steps_of(view)).to_have_text("No backward pass ran, so there are no steps.")
    expect(view).to_contain_text("The program did so much that only its beginning was watched.")


@pytest.mark.same_page
def test_where_the_second_run_made_something_else_the_view_says_so(
    staged: Staged, traced: Callable[..., Locator], trace: list[Record]
) -> None:
    view = traced(view="Steps")
    expect(view.locator(".trace-differences")).to_have_count(0)
    lesson, runner = staged
    other = sinh_bad_graph()
    runner.plays, runner.second = [show(other)], show(*trace)
    lesson.run(CELL)
    expect(view.locator(".trace-differences")).to_have_text("The second run, which is shown here, made other results than the first.")


@pytest.mark.same_page
def test_a_view_that_is_open_while_its_cell_runs_again_asks_for_one_second_run(
    staged: Staged, traced: Callable[..., Locator], graph: Record
) -> None:
    lesson, runner = staged
    view = traced(view="Steps")
    slider(view).press("End")
    runner.plays = [show(graph)]
    before = len(runner.orders)
    lesson.run(CELL)
    expect(view.locator(".count")).to_have_text("Step 1 of 3")
    assert len(runner.orders) == before + 1  # and no ordinary run beside the one that gives way


@pytest.mark.same_page
def test_a_second_run_that_fails_too_says_why_and_can_be_tried_again(staged: Staged, graph: Record, trace: list[Record]) -> None:
    lesson, runner = staged
    runner.plays = [show(graph)]
    lesson.run(CELL)
    view = lesson.results(CELL).locator("graph-view")
    runner.plays = [RuntimeAbsent(RuntimeAbsence("torch", ["jax"], "torch")), show(graph, *trace)]
    view.get_by_role("button", name="Steps").click()
    expect(view.locator("p.panel-meaning")).to_contain_text("PyTorch is not installed on this server")
    again = view.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    again.click()
    expect(words(view)).to_contain_text("Sum receives 1")
    assert runner.orders[-1].program.instruments == ["trace", "doctor"]


@pytest.mark.same_page
def test_a_pass_that_no_graph_shows_is_folded_to_a_line(staged: Staged) -> None:
    lesson, runner = staged
    own = sinh_bad_traced(graph=0, span=span(5))
    runner.plays, runner.second = [show()], show(own, replay(SENDING, graph="traced_graph-1"))
    lesson.run(CELL)
    line = lesson.results(CELL).locator("details.one-line")
    expect(line.locator("summary").first).to_have_text("The backward pass of line 5")
    expect(line.locator("graph-view")).to_be_hidden()
    line.locator("summary").first.click()
    expect(words(line)).to_contain_text("SinhBad receives 3 and sends 6 to x.")
    expect(line.get_by_role("button", name="Steps")).to_have_attribute("aria-pressed", "true")


@pytest.mark.same_page
def test_nothing_stays_lit_after_results_that_lit_it_are_gone(staged: Staged, traced: Callable[..., Locator]) -> None:
    lesson, runner = staged
    view = traced(view="Steps")
    slider(view).press("ArrowRight")
    expect(lit(lesson, CLASS)).to_have_count(1)
    runner.plays = [show()]
    runner.second = None
    lesson.run(CELL)
    expect(view).to_have_count(0)
    expect(lit(lesson, CLASS)).to_have_count(0)
    expect(notes(lesson, CLASS)).to_have_count(0)


def test_while_a_question_about_the_cell_is_open_the_views_are_closed(open_tasks: Callable[..., tuple[TaskPage, StagedRunner]]) -> None:
    lesson, runner = open_tasks()
    runner.plays, runner.second = [show(sinh_bad_graph())], show(*sinh_bad_trace())
    lesson.run("use")
    view = lesson.results("use").locator("graph-view")
    for name in ("Steps", "Saved"):
        view.get_by_role("button", name=name).click()
        expect(view).to_contain_text("First answer the question about this cell.")
    expect(view.locator(".graph .node")).to_have_count(5)
    expect(steps_of(view)).to_have_count(0)
    expect(view.locator(".saved-call")).to_have_count(0)
    assert [order.program.instruments for order in runner.orders] == [[]]


def test_results_of_an_earlier_visit_are_run_again_when_a_view_is_opened(
    stage: tuple[str, StagedRunner], staged: Staged, graph: Record, trace: list[Record]
) -> None:
    lesson, runner = staged
    runner.plays = [show(graph)]
    lesson.run(CELL)
    lesson.page.wait_for_function("id => document.querySelector(`code-cell[data-cell=${id}]`).cell.trace.phase.value === 'none'", arg=CELL)
    lesson.page.reload()
    view = lesson.results(CELL).locator("graph-view")
    expect(view.locator(".graph .node")).to_have_count(5)
    assert len(runner.orders) == 1
    runner.plays = [show(graph, *trace)]
    view.get_by_role("button", name="Steps").click()
    expect(words(view)).to_contain_text("Sum receives 1")
    assert [order.program.instruments for order in runner.orders] == [[], ["trace", "doctor"]]
    assert "ctx.up" in runner.orders[1].program.replay[0].text
