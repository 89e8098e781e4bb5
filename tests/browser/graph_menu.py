"""Opens the menu of a graph, which has the actions that are needed rarely."""

from playwright.sync_api import Locator


def choose(results: Locator, name: str) -> None:
    """Open the menu of a graph, and choose an item."""
    graph = results.locator(".panel-tools")
    graph.get_by_role("button", name="More").click()
    graph.get_by_role("button", name=name).click()
