"""The doctor with real runs: what is said of a wrong program, where, what mends it, and where nothing may be said."""

import re

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from app.pitfalls.pitfall_book import load_pitfalls
from app.settings import PROJECT
from app.web.runs import run_service
from tests.browser.axe import Theme, violations
from tests.browser.conftest import OpenPage, resize
from tests.browser.lesson_page import LessonPage
from tests.browser.playground_page import PLAYGROUND, PlaygroundPage
from tests.browser.task_page import TaskPage
from tests.patience import PATIENCE_SECONDS

RMS_NORM_SILU = """import torch


class RMSNormSiLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        variance = x.pow(2).mean(-1, keepdim=True)
        rstd = torch.rsqrt(variance + eps)
        x_hat = x * rstd
        act = x_hat * weight
        sig = torch.sigmoid(act)
        ctx.save_for_backward(x_hat, rstd, sig, act, weight)
        return act * sig

    @staticmethod
    def backward(ctx, grad_output):
        x_hat, rstd, sig, act, weight = ctx.saved_tensors
        grad_act = grad_output * sig * (1 + act * (1 - sig))
        grad_weight = (grad_act * x_hat).flatten(0, -2).sum(0)
        grad_hat = grad_act * weight
        inner = (grad_hat * x_hat).mean(-1, keepdim=True)
        grad_x = rstd * (grad_hat - x_hat * inner)
        return grad_x, grad_weight, None


x = torch.randn(2, 4, requires_grad=True)
weight = torch.ones(4, requires_grad=True)
y = RMSNormSiLU.apply(x, weight, 1e-6)
y.sum().backward()
"""
DOUBLE = """import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, grad_output):
        grad_output *= 2
        return grad_output


x = torch.ones(3, requires_grad=True)
Double.apply(x).backward(torch.ones(3))
"""
SCALE = """import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return factor * x

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.factor * grad_output


x = torch.ones(3, requires_grad=True)
Scale.apply(x, 2.0).sum().backward()
"""
WORDS = {  # of the card: the sentence has the name in both languages
    "en": ("Show me where", "3 more", "About this"),
    "zh-Hans": ("看看在哪里", "还有 3 个", "关于这个问题"),
}
LOOKS: list[tuple[str, list[tuple[Theme, int]]]] = [
    ("en", [("light", 1440), ("dark", 390)]),
    ("zh-Hans", [("light", 390), ("dark", 1440)]),
]
TANH = "tanh"
TANH_CELL = f"exercise_{TANH}"
EXERCISE = PROJECT / "lessons" / "backward-twice" / "saving-outputs" / "exercises" / TANH
DETACHING = (
    (EXERCISE / "broken" / "often.py")
    .read_text(encoding="utf-8")
    .replace("(one.detach() for one in ctx.saved_tensors)", "ctx.saved_tensors\n        out = out.detach()")
)
PAUSE_AND_ANSWER_MS = 1500  # a second's pause, and what an answer takes

# their changes need places in the program that the second run does not report yet
NOT_OFFERED = {"assumes-contiguous", "ctx-input-mutated", "kept-after-backward", "output-on-ctx"}
MENDABLE = {code: one.wrong[0] for code, one in load_pitfalls().pitfalls.items() if one.edit and code not in NOT_OFFERED}
TRACED = "() => document.querySelector('code-cell').cell.trace.phase.value === 'ready'"
ORDINARY = "grad-output-mutated"


def open_program(open_page: OpenPage, lang: str = "en", **options: int) -> PlaygroundPage:
    return PlaygroundPage(open_page(PLAYGROUND.replace("/en/", f"/{lang}/"), **options))


def card_of(lesson: LessonPage, name: str = "") -> Locator:
    return lesson.results(name).locator("run-findings")


def is_underlined(page: Page, *pieces: str) -> None:
    """Wait until exactly these pieces are underlined in the page."""
    expect(page.locator(".cm-fault")).to_have_text([*pieces])


def requests_of(page: Page, path: str) -> list[Request]:
    """Return a list to which the page's requests to this path are appended as it sends them."""
    found: list[Request] = []
    page.on("request", lambda request: found.append(request) if path in request.url else None)
    return found


def looks_right(page: Page, looks: list[tuple[Theme, int]], within: str = "") -> None:
    """Assert in each look that axe finds nothing, in the page or in `within`, and that nothing is wider than the page."""
    for theme, width in looks:
        page.emulate_media(color_scheme=theme)
        resize(page, width)
        page.evaluate("scrollTo(0, 0)")  # so that the page's bar covers no button
        assert violations(page, within=within) == [], (theme, width)
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize(("lang", "looks"), LOOKS)
def test_what_is_wrong_is_found_without_any_check_and_each_thing_is_one_click_away(
    open_page: OpenPage, lang: str, looks: list[tuple[Theme, int]]
) -> None:
    show, more, about = WORDS[lang]
    bench = open_program(open_page, lang, width=looks[0][1])
    page = bench.page
    bench.run(source=RMS_NORM_SILU)
    card = card_of(bench)
    expect(card.locator(".finding")).to_have_count(1)
    expect(card.locator(".what code").first).to_have_text("x_hat")
    is_underlined(page, "x_hat")
    looks_right(page, looks)
    card.get_by_role("button", name=show).click()
    row = page.locator(".saved-tensors [data-tensor]:focus")
    expect(row).to_be_visible()
    expect(row).to_contain_text("x_hat")
    looks_right(page, looks[::-1], within="run-results")
    card.get_by_role("button", name=more).click()
    expect(card.locator(".finding")).to_have_count(4)
    expect(card.locator(".finding.closed .line-link")).to_have_count(3)
    is_underlined(page, "x_hat")
    looks_right(page, looks, within="run-results")
    with page.expect_popup() as opened:  # in a tab of its own, so that the results stay
        card.get_by_role("link", name=about).click()
    expect(opened.value).to_have_url(re.compile(rf"/{lang}/pitfalls/intermediate-saved$"))
    expect(opened.value.get_by_role("heading", level=1)).to_be_visible()


def test_a_program_is_marked_while_it_is_written_and_what_ran_has_only_what_the_run_found(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_service, "READING_SECONDS", PATIENCE_SECONDS)  # on a busy machine a tenth of a second passes before it is read
    bench = open_program(open_page)
    page, runs, marks = bench.page, requests_of(bench.page, "/api/runs"), requests_of(bench.page, "/api/marks")
    bench.write(DOUBLE)
    assert page.locator(".cm-fault").count() == 0  # not before a pause
    is_underlined(page, "grad_output *= 2")
    expect(card_of(bench).locator(".finding")).to_have_count(0)
    assert runs == []
    bench.run()
    expect(card_of(bench).locator(".finding .what")).to_contain_text("Double")
    is_underlined(page, "grad_output *= 2")
    page.wait_for_timeout(PAUSE_AND_ANSWER_MS)
    assert len(marks) == 1  # of a text that ran nothing is asked
    page.wait_for_function(TRACED)  # the second run is in the background, where a learner has one program at a time
    bench.write(DOUBLE.replace("*= 2", "*= 3"))
    is_underlined(page)
    is_underlined(page, "grad_output *= 3")
    assert len(marks) == 2


def test_the_cell_of_a_lesson_is_not_marked_while_it_is_written(open_page: OpenPage) -> None:
    lesson = LessonPage(open_page())
    marks = requests_of(lesson.page, "/api/marks")
    lesson.write(DOUBLE)
    lesson.page.wait_for_timeout(PAUSE_AND_ANSWER_MS)
    assert marks == []
    is_underlined(lesson.page)


def test_a_server_that_is_busy_marks_nothing_and_says_nothing(open_page: OpenPage) -> None:
    bench = open_program(open_page)
    page = bench.page
    page.route("**/api/marks", lambda route: route.fulfill(status=503, json={"error": {"code": "gave_way", "message": "Somebody waits."}}))
    said = page.locator("[role=status], #live").all_text_contents()
    with page.expect_response("**/api/marks"):
        bench.write("\n" + DOUBLE)
    page.wait_for_timeout(PAUSE_AND_ANSWER_MS)
    is_underlined(page)
    assert page.locator("[role=status], #live").all_text_contents() == said
    assert "Somebody waits." not in page.locator("body").inner_text()


@pytest.mark.parametrize("code", [pytest.param(code, marks=() if code == ORDINARY else pytest.mark.nightly) for code in MENDABLE])
def test_a_change_mends_the_program_and_can_be_undone(open_page: OpenPage, code: str) -> None:
    source = MENDABLE[code]
    bench = open_program(open_page)
    bench.run(source=source)
    card = card_of(bench)
    about = card.locator(f'a[href="/en/pitfalls/{code}"]')
    expect(card.locator(".finding")).to_have_count(1)
    bench.page.wait_for_function(TRACED)
    bench.is_drawn()
    if not about.count():  # the error that follows from it stands first
        card.locator(".more-findings").click()
        card.locator(".finding.closed .finding-line").click()
        card.locator(".more-findings").click()
    expect(about).to_have_count(1)
    preview, apply, undo = (card.get_by_role("button", name=name) for name in ("Preview change", "Apply", "Undo"))
    preview.click()
    assert bench.text() == source
    apply.click()
    mended = bench.text()
    assert mended != source
    undo.click()
    assert bench.text() == source
    preview.click()
    apply.click()
    assert bench.text() == mended
    bench.run()
    bench.page.wait_for_function(TRACED)
    bench.is_drawn()
    expect(about).to_have_count(0)


def test_in_an_exercise_the_kind_of_mistake_is_said_after_a_submission_and_its_place_after_the_last_hint(open_page: OpenPage) -> None:
    lesson = TaskPage(open_page("/en/backward-twice/saving-outputs"))
    page, card = lesson.page, card_of(lesson, TANH_CELL)
    lesson.write(DETACHING, TANH_CELL)
    traces = requests_of(page, "/trace")
    with page.expect_response("**/trace"):
        lesson.button("Run", TANH_CELL).click()
    lesson.says("Ran, printed nothing", TANH_CELL)
    expect(card.locator(".finding")).to_have_count(0)
    with page.expect_response("**/trace"):
        lesson.submit(TANH)
    expect(card.locator(".finding")).to_have_count(1)
    expect(card.locator(".what")).to_have_text("Gradient cut off in backward")
    expect(card.get_by_role("button")).to_have_count(0)
    expect(card.get_by_role("link")).to_have_count(0)
    is_underlined(page)
    looks_right(page, [("light", 1440), ("dark", 390)])
    resize(page, 1440)
    for number in (1, 2, 3):
        expect(card.get_by_role("button", name="Show where it is")).to_have_count(0)
        lesson.exercise(TANH).get_by_role("button", name=f"Hint {number} of 3").click()
    card.get_by_role("button", name="Show where it is").click()
    expect(card.locator(".what")).to_contain_text("backward of TanhBackward takes a tensor out of the graph")
    is_underlined(page, "out.detach()")
    expect(card.locator(".change")).to_have_count(0)
    expect(card.get_by_role("button", name="Preview change")).to_have_count(0)
    looks_right(page, [("dark", 1440), ("light", 390)], within=f"#exercise-{TANH}")
    resize(page, 1440)
    lesson.write((EXERCISE / "solution.py").read_text(encoding="utf-8"), TANH_CELL)
    lesson.submit(TANH)
    expect(lesson.verdict(TANH)).to_contain_text("Passed")
    expect(card.locator(".finding")).to_have_count(0)
    is_underlined(page)
    assert len(traces) == 2  # of Run, whose second run finds nothing, and of the submission that did not pass


def test_nothing_is_said_of_a_cell_before_its_prediction_is_answered(open_page: OpenPage) -> None:
    lesson = TaskPage(open_page("/en/backward-twice/saving-outputs"))
    page, cell = lesson.page, "exp-again"
    traces = requests_of(page, "/trace")
    lesson.run(cell, DOUBLE)
    page.wait_for_timeout(PAUSE_AND_ANSWER_MS)
    expect(lesson.results(cell).locator(".finding, .probes")).to_have_count(0)
    is_underlined(page)
    assert traces == []
    lesson.prediction("third").get_by_role("button", name="Show me").click()
    expect(lesson.prediction("third").locator(".verdict-line")).to_be_visible()
    lesson.run(cell, DOUBLE)
    expect(card_of(lesson, cell).locator(".what")).to_contain_text("Double")
    is_underlined(page, "grad_output *= 2")


def test_an_error_has_one_sentence_the_folded_message_and_the_line_that_is_to_be_mended(open_page: OpenPage) -> None:
    bench = open_program(open_page)
    bench.run(source=SCALE)
    card = card_of(bench)
    expect(card.locator(".finding")).to_have_count(1)
    expect(card.locator(".what")).to_contain_text("The number of gradients that backward returns is 1")
    expect(card.get_by_role("button", name="Preview change")).to_be_visible()
    expect(card.get_by_text("Return one gradient for each argument")).to_have_count(1)  # what to change is not said twice
    message = card.get_by_text("returned an incorrect number of gradients")
    expect(message).to_be_hidden()
    is_underlined(bench.page, "return ctx.factor * grad_output")
    expect(card.locator(".finding-links .line-link")).to_have_text("line 12")
    card.get_by_text("PyTorch’s message").click()
    expect(message).to_be_visible()
    looks_right(bench.page, [("light", 1440), ("dark", 390)])
