"""The name of a browser, by which people recognize their sessions in a list."""

from app.locale.messages import Translate, mark

# A User-Agent also names the browsers that its browser descends from, so the first entry that is found counts.
BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("Windows", "Windows"), ("Android", "Android"), ("iPhone", "iOS"), ("iPad", "iPadOS"), ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)  # fmt: skip


def name_browser(client: str, words: Translate) -> str:
    """Return the name of a browser and its system. `client` is its User-Agent."""
    browser = next((name for sign, name in BROWSERS if sign in client), None)
    system = next((name for sign, name in SYSTEMS if sign in client), None)
    if browser and system:
        return words(mark("{browser} on {system}")).format(browser=browser, system=system)
    return browser or system or words(mark("Another browser"))
