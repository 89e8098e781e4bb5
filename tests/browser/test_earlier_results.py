"""A browser in which the version before stored results and an attempt: all of it is shown, and nothing is run."""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import ConsoleMessage, Page, expect

from tests.browser.conftest import SINH_BAD
from tests.browser.lesson_page import LessonPage

STORED = json.loads(Path(__file__).with_name("earlier_storage.json").read_text())  # as it was read from a browser
STORE = """({ localStorage: items, results }) => new Promise((done, fail) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, JSON.stringify(value));
    const opened = indexedDB.open("gradroom");
    opened.onupgradeneeded = () => opened.result.createObjectStore("results");
    opened.onsuccess = () => {
        const transaction = opened.result.transaction("results", "readwrite");
        for (const [key, value] of Object.entries(results)) transaction.objectStore("results").put(value, key);
        transaction.oncomplete = () => (opened.result.close(), done());
        transaction.onerror = fail;
    };
    opened.onerror = fail;
})"""


def test_results_and_an_attempt_of_the_version_before_are_shown(open_page: Callable[..., Page]) -> None:
    page = open_page("/en/glossary")
    errors: list[ConsoleMessage] = []
    page.on("console", lambda message: errors.append(message) if message.type == "error" else None)
    page.evaluate(STORE, STORED)
    page.goto(page.url.replace("/en/glossary", SINH_BAD))
    lesson = LessonPage(page)
    lesson.says("Finished")
    lesson.is_drawn()
    results = lesson.results()
    expect(results.locator("graph-view svg .node")).to_have_count(5)
    expect(lesson.status()).to_contain_text("gradcheck passes")
    expect(results.locator("jacobian-view .heat-table")).to_have_count(3)
    expect(results.get_by_role("article", name="Value", include_hidden=True)).to_contain_text("tensor([3., 6.]")
    expect(lesson.cell().locator(".output > *")).to_have_text(["before", "after"])
    lesson.status().click()
    results.get_by_role("article", name="Value").get_by_role("button", name="line 8").click()
    assert lesson.view("view.state.doc.lineAt(view.state.selection.main.head).number") == 8
    exercise = page.locator("#exercise-log-cosh")
    expect(exercise.locator("submission-checks")).to_contain_text("The second derivative (gradgradcheck)")
    expect(exercise.locator("exercise-standing")).to_contain_text("tried")
    assert errors == []
