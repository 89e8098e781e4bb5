"""How the page shows what a run printed: bars in one line, readable colours, many lines folded, and the text to copy or save."""

from collections.abc import AsyncIterator

import msgspec
import pytest
from playwright.sync_api import Locator, expect

from app.protocol.event import RunEvent, Started, Stderr, Stdout
from app.protocol.run import RunOrder
from tests.browser.axe import violations, violations_in_the_other_theme
from tests.browser.conftest import OpenPage
from tests.browser.lesson_page import LessonPage
from tests.browser.staged_runner import Play, StagedRunner, make_result

pytestmark = pytest.mark.same_page

BAR = """\
import sys
from tqdm import tqdm
for step in tqdm(range(40), desc="train"):
    if step % 20 == 0:
        print("step", step)
"""


def say(*said: Stdout | Stderr) -> Play:
    """Return a run that prints this."""
    out, err = ("".join(one.text for one in said if isinstance(one, kind)) for kind in (Stdout, Stderr))

    async def play(order: RunOrder) -> AsyncIterator[RunEvent]:
        yield Started("r1")
        for one in said:
            yield one
        yield msgspec.structs.replace(make_result(order, out), stderr=err)

    return play


def show(staged: tuple[LessonPage, StagedRunner], *said: Stdout | Stderr) -> Locator:
    """The output of a run that prints this."""
    lesson, runner = staged
    runner.plays = [say(*said)]
    lesson.run()
    return lesson.cell().locator(".output")


def visible_lines(output: Locator) -> Locator:
    return output.locator(".line:not([hidden])")


def test_a_progress_bar_is_one_line(lesson: LessonPage) -> None:
    lesson.run(source=BAR)
    lines = visible_lines(lesson.cell().locator(".output"))
    expect(lines).to_have_count(3)
    expect(lines.filter(has_text="train")).to_contain_text("train: 100%|██████████| 40/40")
    expect(lines.filter(has_text="step")).to_have_text(["step 0", "step 20"])


def test_a_programs_colours_are_the_pages(lesson: LessonPage) -> None:
    lesson.run(source="print('\\x1b[1;31mred\\x1b[0m \\x1b[38;2;0;200;0mgreen\\x1b[m plain')")
    output = lesson.cell().locator(".output")
    expect(output).to_have_text("red green plain")
    expect(output.locator(".bold.ink-red")).to_have_text("red")
    expect(output.locator(".ink-green")).to_have_text("green")


def test_every_colour_on_every_ground_can_be_read(staged: tuple[LessonPage, StagedRunner]) -> None:
    grounds = [f"\x1b[{ground}m" + "".join(f"\x1b[{ink}m x{ink} " for ink in (39, *range(31, 37), 90)) for ground in (*range(41, 48), 49)]
    turned = "\x1b[0;7m" + "".join(f"\x1b[{ink}m x{ink} " for ink in (39, *range(31, 37), 90)) + "\x1b[0;2mdim"
    page = show(staged, Stdout("\n".join([*grounds, turned])), Stderr("stderr")).page
    assert violations(page, within='[data-cell="sinh-bad"]') == []
    assert violations_in_the_other_theme(page, "dark") == []


def test_stderr_is_known_without_colour(staged: tuple[LessonPage, StagedRunner]) -> None:
    output = show(staged, Stdout("a\n"), Stderr("b\n"), Stderr("c\n"), Stdout("d\n"))
    marks = output.locator(".line").evaluate_all("lines => lines.map(line => getComputedStyle(line, '::before').content)")
    assert marks == ["none", '"stderr"', "none", "none"]
    edges = output.locator(".line").evaluate_all("lines => lines.map(line => getComputedStyle(line).borderLeftStyle)")
    assert edges == ["none", "double", "double", "none"]


def test_on_paper_no_line_is_folded_and_no_row_of_matrices_cut_off(staged: tuple[LessonPage, StagedRunner]) -> None:
    output = show(staged, Stdout("".join(f"line {n}\n" for n in range(1, 1001))))
    expect(visible_lines(output)).to_have_count(15)
    page = output.page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(visible_lines(output)).to_have_count(1000)
    expect(output.locator(".output-fold").first).to_be_hidden()
    height = """() => { const one = document.createElement("div"), view = document.createElement("jacobian-view");
        one.className = "jacobians tall"; view.append(one); document.querySelector("main").append(view);
        try { return getComputedStyle(one).maxHeight } finally { view.remove() } }"""
    assert page.evaluate(height) == "none"


def test_many_lines_fold_and_open_with_the_keyboard_in_their_place(staged: tuple[LessonPage, StagedRunner]) -> None:
    output = show(staged, Stdout("".join(f"line {n}\n" for n in range(1, 1001))))
    expect(visible_lines(output)).to_have_count(15)
    expect(visible_lines(output).last).to_have_text("line 1000")
    assert output.evaluate("output => output.scrollHeight <= output.clientHeight"), "what is left is seen at once"
    fold = output.get_by_role("button", name="… 985 more lines")
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.focus()
    before = output.evaluate("output => output.scrollTop")
    fold.press("Enter")
    expect(visible_lines(output)).to_have_count(1000)
    opened = output.get_by_role("button", name="Fold these lines")
    expect(opened).to_be_focused()
    expect(opened).to_have_attribute("aria-expanded", "true")
    assert output.evaluate("output => output.scrollTop") == before
    opened.press("Enter")
    expect(visible_lines(output)).to_have_count(15)
    expect(fold).to_be_focused()


def test_very_many_lines_open_some_at_a_time(staged: tuple[LessonPage, StagedRunner]) -> None:
    output = show(staged, Stdout("x\n" * 4015))
    output.get_by_role("button", name="… 4,000 more lines").click()
    expect(output.locator(".line")).to_have_count(15 + 2000)
    output.get_by_role("button", name="… 2,000 more lines").press("Enter")
    expect(output.locator(".line")).to_have_count(15 + 4000)
    expect(output).to_be_focused()
    expect(output.get_by_role("button")).to_have_text("Fold these lines")


def test_another_run_is_folded_again(staged: tuple[LessonPage, StagedRunner]) -> None:
    output = show(staged, Stdout("a\n" * 100))
    output.get_by_role("button", name="more lines").click()
    show(staged, Stdout("b\n" * 100))
    expect(output.get_by_role("button", name="… 85 more lines")).to_be_visible()
    expect(visible_lines(output).first).to_have_text("b")


def test_what_was_printed_is_copied_as_it_is_seen(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, _ = staged
    lesson.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    show(staged, Stderr("10%\N{SYMBOL FOR CARRIAGE RETURN}20%\n"), Stdout("\N{SYMBOL FOR ESCAPE}[31mred\n" + "x\n" * 50))
    lesson.button("Copy what was printed").click()
    expect(lesson.button("Copied")).to_be_visible()
    assert lesson.page.evaluate("navigator.clipboard.readText()") == "20%\nred\n" + "x\n" * 50


def test_letters_from_right_to_left_stay_in_their_line(staged: tuple[LessonPage, StagedRunner]) -> None:
    output = show(staged, Stdout("\u05d0\u05d1 (1)\nb\n"))
    lines = visible_lines(output)
    assert lines.evaluate_all("lines => lines.map(line => getComputedStyle(line).unicodeBidi)") == ["isolate", "isolate"]
    assert lines.evaluate_all("lines => lines.map(line => getComputedStyle(line).direction)") == ["ltr", "ltr"]


def test_the_latest_line_of_a_long_run_is_seen_while_it_runs(open_page: OpenPage) -> None:
    lesson = LessonPage(open_page())
    lesson.write("import time\nfor n in range(2000): print('line', n, flush=True)\ntime.sleep(30)")
    lesson.editor().press("Shift+Enter")
    expect(visible_lines(lesson.cell().locator(".output")).last).to_have_text("line 1999")
    lesson.button("Stop").click()
    lesson.says("Stopped")
