"""Checks a page with axe, and returns what violates a rule.

Nine tenths of its time go into the contrast of each piece of text. In a lesson these are hundreds of tokens of code that look alike. So
only the first is measured of those that have the same styles, and whose ancestors have the same names, classes and styles. All other rules
are checked for every element. EVERY_ELEMENT=1, as `python -m tests.nightly` sets it, measures all contrasts.
"""

import os
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# reporting what passes takes long, and so does a copy of every style sheet, which no rule of these tags reads
OPTIONS = {"runOnly": TAGS, "resultTypes": ["violations"], "preload": {"assets": ["media"]}}
OF_COLOURS = {**OPTIONS, "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
STYLES = ["color", "backgroundColor", "backgroundImage", "opacity", "fontSize", "fontWeight", "textShadow", "filter", "mixBlendMode"]
ONE_OF_A_LOOK = """styles => {
    const looks = new WeakMap(), numbers = new Map(), seen = new Set();
    const look = element => {
        if (!element) return 0;
        if (!looks.has(element)) {
            const style = getComputedStyle(element), above = element.parentElement ?? element.getRootNode().host;
            const words = [look(above), element.tagName, element.getAttribute("class"), ...styles.map(name => style[name])].join("|");
            if (!numbers.has(words)) numbers.set(words, numbers.size + 1);
            looks.set(element, numbers.get(words));
        }
        return looks.get(element);
    };
    const rule = axe._audit.rules.find(rule => rule.id === "color-contrast"), matches = (rule.ofEach ??= rule.matches);
    rule.matches = (element, ...others) => !seen.has(look(element)) && matches(element, ...others) && Boolean(seen.add(look(element)));
}"""
EVERY_ONE = """() => {
    const rule = axe._audit.rules.find(rule => rule.id === "color-contrast");
    rule.matches = rule.ofEach ?? rule.matches;
}"""

Theme = Literal["light", "dark"]

EVERY_ELEMENT = "EVERY_ELEMENT" in os.environ


def violations(page: Page, *, within: str = "", every_element: bool = EVERY_ELEMENT) -> list[str]:
    """Return the violations of a page.

    If the rest of the page has been checked, here or in another test, `within` is a selector of what is new. At night the whole page is
    checked again.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    return ask(page, OPTIONS, every_element, "" if every_element else within)


def violations_in_the_other_theme(page: Page, theme: Theme, *, every_element: bool = EVERY_ELEMENT) -> list[str]:
    """Return the violations of the rules that depend on colours, for a page whose `violations` are known."""
    page.emulate_media(color_scheme=theme)
    return ask(page, OF_COLOURS, every_element)


def ask(page: Page, options: dict[str, Any], every_element: bool, within: str = "") -> list[str]:
    if every_element:
        page.evaluate(EVERY_ONE)
    else:
        page.evaluate(ONE_OF_A_LOOK, STYLES)
    # axe reports what lies under the bar as too near to what is in the bar
    page.evaluate("window.scrollTo({ top: 0, behavior: 'instant' })")
    found = page.evaluate("([within, options]) => axe.run(within ? { include: within } : document, options)", [within, options])
    return [f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found["violations"] for node in one["nodes"]]
