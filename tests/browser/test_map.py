"""The course map: chapters that fold, and paths that are walked from their first lesson to the next path's first question."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.own_course import load_own_course

COURSE = load_own_course().course
LESSONS = ("why", "saving-inputs", "saving-outputs", "saving-intermediates", "sinh-bad", "cube", "once-differentiable", "guard", "review")
TWICE = "backward-twice/sinh-bad"
# As if all parts of these lessons had been done in this browser.
DO = """lessons => {
    const links = [...document.querySelectorAll("a[data-lesson]")].filter(({ dataset }) => lessons.includes(dataset.lesson));
    const parts = ({ dataset }) => Array.from({ length: dataset.parts }, (_, part) => `part-${part}`);
    localStorage.setItem("gradroom/progress", JSON.stringify(Object.fromEntries(links.map(link => [link.dataset.lesson, parts(link)]))));
}"""
AT_END = "scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })"
IS_AT_END = "scrollY + innerHeight >= document.documentElement.scrollHeight - 2"
OVERFLOW = "document.querySelector('main').scrollWidth - document.documentElement.clientWidth"


def open_folds(page: Page) -> list[str]:
    found: list[str] = page.locator("details.chapter-fold[open] > .fold-body").evaluate_all("all => all.map(one => one.id)")
    return found


def test_the_map_leads_to_every_lesson(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    links = [link.get_attribute("href") for link in page.locator(".path a").all()]
    assert links == [f"/en/{lesson.path}" for lesson in COURSE.lessons]
    first = COURSE.lessons[0].texts["en"].title
    page.get_by_role("link", name=f"Begin: {first}").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(first)


def test_a_new_visitor_sees_the_first_chapter_open_on_two_screens(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    assert open_folds(page) == ["autograd"]
    assert page.evaluate("document.documentElement.scrollHeight") < 2.2 * 900
    left = page.locator("#autograd .path-term").evaluate_all("all => all.map(one => Math.round(one.getBoundingClientRect().left))")
    assert len(left) == 10 and len(set(left)) == 1  # a column, which the eye runs down
    expect(page.locator("#autograd .path-term code").filter(has_text="no_grad")).to_be_visible()


def test_the_chapter_of_the_lesson_read_last_is_open(open_page: OpenPage) -> None:
    page = open_page(f"/en/{TWICE}")
    expect(page.get_by_role("button", name="Run").first).to_be_visible()  # the script has noted the visit
    page.goto(page.url.replace(TWICE, "map"))
    expect(page.get_by_role("link", name="Go on: One output instead of three")).to_be_visible()
    assert open_folds(page) == ["backward-twice"]


@pytest.mark.parametrize("tab", ["map", "paths"])
def test_on_paper_every_fold_has_its_title_and_the_open_one_its_lessons(open_page: OpenPage, tab: str) -> None:
    page = open_page(f"/en/{tab}", media="print")
    assert all(summary.is_visible() for summary in page.locator("details.chapter-fold > summary").all())
    expect(page.locator("details.chapter-fold[open] .path a").first).to_be_visible()


def test_back_finds_the_chapters_open_that_were(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    for chapter in ("own-functions", "contract"):
        page.locator("details.chapter-fold", has=page.locator(f"#{chapter}")).locator("summary").click()
    page.locator("#own-functions .path a").first.click()
    expect(page.get_by_role("button", name="Run").first).to_be_visible()
    page.go_back()
    expect(page.locator("details.chapter-fold").first).to_be_attached()
    expect(page.locator("#contract")).to_be_visible()
    assert open_folds(page) == ["autograd", "own-functions", "contract"]


def test_a_link_to_a_chapter_opens_it_under_its_title(open_page: OpenPage) -> None:
    page = open_page("/en/map#contract")
    title = page.get_by_role("heading", name="Chapter 5: The contract in full")
    expect(title).to_be_in_viewport()
    expect(page.locator("#contract")).to_be_in_viewport()
    assert open_folds(page) == ["contract"]
    page.evaluate("location.hash = 'myths'")
    expect(page.locator("#myths .path")).to_be_in_viewport()


def test_all_chapters_open_and_close_at_once(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    page.get_by_role("button", name="Open all").click()
    expect(page.locator("details.chapter-fold[open]")).to_have_count(len(COURSE.chapters))
    page.get_by_role("button", name="Close all").click()
    expect(page.locator("details.chapter-fold[open]")).to_have_count(0)
    expect(page.get_by_role("button", name="Open all")).to_be_visible()


def test_the_keyboard_alone_opens_a_chapter_and_a_lesson_in_it(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    page.locator("details.chapter-fold:has(#contract) > summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#contract .path")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Outputs that nothing used")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/en/contract/undefined-gradients")


def test_a_chapter_s_page_stands_before_its_first_lesson(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    page.get_by_role("heading", name="Backward, twice").click()
    page.locator("#backward-twice").get_by_role("link", name="What you can do after this chapter").click()
    expect(page.get_by_role("heading", name="After this chapter you can")).to_be_visible()
    links = [link.get_attribute("href") for link in page.locator(".path a").all()]
    assert links == [f"/en/backward-twice/{name}" for name in LESSONS]
    page.get_by_role("link", name="Next A gradient of a gradient").click()
    page.wait_for_url("**/en/backward-twice/why")
    page.get_by_role("link", name="Previous 4 · Backward, twice").click()
    page.get_by_role("link", name="Go on: A gradient of a gradient").click()
    page.wait_for_url("**/en/backward-twice/why")


def test_map_and_paths_can_be_read_and_walked_without_scripts(site: str, first_visit: Callable[..., Page]) -> None:
    page = first_visit(site, "/en/map#contract", java_script_enabled=False)
    expect(page.get_by_role("link", name="mark_dirty Changed in place")).to_be_visible()  # the browser has opened the chapter
    page.get_by_role("heading", name="Checking gradients").click()
    expect(page.get_by_role("link", name="At a kink")).to_be_visible()
    page.get_by_role("link", name="Paths").click()
    page.get_by_role("heading", name="Write a Function this afternoon").click()
    page.locator("#function").get_by_role("link", name="Begin: When autograd cannot see").click()
    page.get_by_role("link", name="Next A gate").click()
    page.get_by_role("link", name="中文").click()
    page.wait_for_url("**/zh-Hans/own-functions/gate?path=function")


@pytest.mark.parametrize(("lang", "on", "of_path"), [("en", "Go on: ", "2 of 6 done"), ("zh-Hans", "继续：", "已完成 2/6")])
def test_a_path_has_progress_of_its_own_and_goes_on_with_its_next_lesson(open_page: OpenPage, lang: str, on: str, of_path: str) -> None:
    page = open_page(f"/{lang}/paths")
    page.evaluate(DO, ["backward-twice/why", "backward-twice/saving-intermediates", "contract/memory"])
    page.reload()
    fold = page.locator("details.chapter-fold:has(#second-derivative)")
    expect(fold.locator(".chapter-done")).to_have_text(of_path)
    fold.locator("summary").click()
    fold.get_by_role("link", name=on).click()
    page.wait_for_url(f"**/{lang}/backward-twice/saving-inputs?path=second-derivative")


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_a_path_is_walked_by_keys_to_the_first_question_of_the_next(open_page: OpenPage, lang: str) -> None:
    paths = COURSE.paths
    path = next(path for path in paths if path.id == "second-derivative")
    following = paths[paths.index(path) + 1]
    page = open_page(f"/{lang}/paths/{path.id}")
    page.locator(".go-on a").click()
    for lesson in path.lessons:
        page.wait_for_url(f"**/{lang}/{lesson}?path={path.id}")
        expect(page.locator(".crumb a")).to_have_text(path.title[lang])  # type: ignore[index]
        expect(page.locator("code-editor .cm-content").first).to_be_visible()
        if lesson == path.lessons[-1]:
            expect(page.locator(".path-foot")).to_contain_text(path.end[lang])  # type: ignore[index]
            expect(page.locator(".path-foot")).to_contain_text(following.title[lang])  # type: ignore[index]
        page.evaluate(AT_END)
        page.wait_for_function(IS_AT_END)
        page.keyboard.press("PageDown")
    page.wait_for_url(re.compile(rf"/{lang}/{following.lessons[0]}\?path={following.id}#prediction-"))
    expect(page.locator("prediction-view").first).to_be_in_viewport()


def test_page_up_at_the_first_page_of_the_course_leads_to_the_map(open_page: OpenPage) -> None:
    page = open_page("/en/autograd/backward")
    expect(page.locator("code-editor .cm-content").first).to_be_visible()
    page.keyboard.press("PageUp")
    page.wait_for_url("**/en/autograd")
    expect(page.locator("#continue a")).to_be_visible()
    page.keyboard.press("PageUp")
    page.wait_for_url("**/en/map")


@pytest.mark.parametrize("address", ["map", "paths", "paths/no-gradient"])
def test_nothing_is_wider_than_a_phone(open_page: OpenPage, address: str) -> None:
    page = open_page(f"/en/{address}", width=360)
    for fold in page.locator("details.chapter-fold").all():
        fold.evaluate("fold => (fold.open = true)")
    assert page.evaluate(OVERFLOW) == 0
