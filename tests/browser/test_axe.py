"""Of many elements that look alike only one is measured. Each element that looks different is measured, too."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.axe import violations

ALIKE = '<p class="code"><span>one</span> <span>two</span></p><p class="code"><span>three</span></p>'
PAGE = f"""<!doctype html><html lang="en"><title>Page</title><main><h1>Page</h1><style>
    .code {{ background: #fff; color: #000 }} .odd:nth-child(2) {{ background: #333 }} .pale {{ color: #eee }}</style>{ALIKE}"""
TOO_PALE = "color-contrast"


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    return new_context().new_page()


def faults(page: Page, more: str, **options: Any) -> list[str]:
    page.set_content(f"{PAGE}{more}</main>")
    return violations(page, **options)


def test_a_page_without_a_fault_has_none(page: Page) -> None:
    assert faults(page, "") == []


@pytest.mark.parametrize(
    "different",
    [
        '<p class="code"><span style="color: #eee">four</span></p>',
        '<p class="code"><span class="pale">four</span></p>',
        '<p class="code" style="background: #222"><span>four</span></p>',
        '<p class="code" style="opacity: 0.2"><span>four</span></p>',
        '<div><p class="code odd">four</p><p class="code odd"><span>five</span></p></div>',
        '<p class="code"><b><span style="color: #eee">four</span></b></p>',
    ],
)
def test_what_looks_different_from_all_before_is_measured(page: Page, different: str) -> None:
    (fault,) = faults(page, different)
    assert fault.startswith(TOO_PALE)


def test_of_those_that_look_alike_the_first_is_named_and_all_where_that_is_asked(page: Page) -> None:
    pale = '<p class="code"><span class="pale">four</span></p>' * 3
    assert [len(faults(page, pale, every_element=every)) for every in (False, True)] == [1, 3]


def test_other_rules_are_asked_of_every_element(page: Page) -> None:
    assert [fault.split(":")[0] for fault in faults(page, '<img src="data:,">' * 2)] == ["image-alt"] * 2


def test_of_what_is_new_alone_unless_every_element_is_asked_about(page: Page) -> None:
    images = '<p id="new"><img src="data:,"></p><img src="data:,">'
    assert [len(faults(page, images, within="#new", every_element=every)) for every in (False, True)] == [1, 2]
