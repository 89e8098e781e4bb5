"""The menu of a graph, with what is needed more rarely than its views."""

from playwright.sync_api import Locator


def choose(results: Locator, name: str, menu: str = "More") -> None:
    """Open the menu of a graph, and choose an item. `menu`: its name in the page's language."""
    graph = results.locator(".panel-tools")
    graph.get_by_role("button", name=menu).click()
    graph.get_by_role("button", name=name).click()
