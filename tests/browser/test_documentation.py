"""The page of the API in a browser: Swagger UI works under our content-security policy, and asks this server."""

import json
from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_it_follows_the_theme_and_an_operation_is_tried_out_on_this_server(open_page: Callable[..., Page]) -> None:
    page = open_page("/api/docs")
    html, button = page.locator("html"), page.locator('[data-action="theme"]')
    button.click()  # light
    button.click()  # dark
    expect(html).to_have_class("dark-mode")
    button.click()  # as the system: light
    expect(html).not_to_have_class("dark-mode")
    page.locator("#operations-Runs-post_run .opblock-summary-control").click()
    page.get_by_role("button", name="Try it out").click()
    page.locator("textarea.body-param__text").fill(json.dumps({"source": "6 * 7"}))
    page.get_by_role("button", name="Execute").click()
    answer = page.locator(".live-responses-table")
    expect(answer.locator(".response-col_status").last).to_contain_text("200")
    expect(answer).to_contain_text('"outcome": "finished"')
