"""A reader at a page, with the actions that journeys use, for any driver."""

import json
from contextlib import suppress
from typing import Any

from tests.other_browsers.driver import Driver, DriverError
from tests.other_browsers.ear import ADDRESS as BLANK
from tests.patience import wait_for

# WebDriver's names of keys
KEYS = {
    "Shift": "\ue008",
    "Control": "\ue009",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "ArrowUp": "\ue013",
    "ArrowDown": "\ue015",
    "End": "\ue010",
}
MIDDLE = """(element => {
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const box = element.getBoundingClientRect();
    return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
})"""
# a request for a new cookie, because no script can delete that one
LEAVE = "(() => { const r = new XMLHttpRequest(); r.open('POST', '/api/me/leave', false); r.send(); return r.status; })()"


class Visit:
    """A visit to one site with one browser."""

    def __init__(self, driver: Driver, site: str, heard: list[str]) -> None:
        self.driver, self._site, self.heard = driver, site, heard

    def begin(self) -> None:
        """Begin as a reader who was never here."""
        self.driver.resize(1440, 900)
        self.go(BLANK)
        forget_cookies = "document.cookie.split('; ').map(one => document.cookie = one.split('=')[0] + '=; path=/; max-age=0')"
        self.evaluate(LEAVE)
        self.evaluate(f"[localStorage.clear(), sessionStorage.clear(), indexedDB.deleteDatabase('gradroom') && 0, {forget_cookies}]")
        self.heard.clear()

    def go(self, path: str) -> None:
        self.driver.open(self._site + path)

    def reload(self) -> None:
        self.driver.open(self.evaluate("location.href"))

    def evaluate(self, expression: str) -> Any:
        return self.driver.evaluate(expression)

    def until(self, expression: str) -> None:
        """Wait until an expression is true. A page that is just being left is asked again."""

        def holds() -> bool:
            with suppress(DriverError):
                return bool(self.evaluate(f"Boolean({expression})"))
            return False

        wait_for(holds, lambda: f"this never held: {expression}")

    def there(self, selector: str, words: str = "") -> None:
        """Wait until an element that matches is visible and contains these words."""
        self.until(f"{matches(selector)}.some(one => one.checkVisibility() && one.textContent.includes({json.dumps(words)}))")

    def click(self, selector: str, words: str = "") -> None:
        """Click the middle of the first match that contains these words."""
        element = f"{matches(selector)}.find(one => one.checkVisibility() && one.textContent.includes({json.dumps(words)}))"
        self.until(element)
        x, y = self.evaluate(f"{MIDDLE}({element})")
        move = {"type": "pointerMove", "x": x, "y": y, "origin": "viewport", "duration": 0}
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.driver.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [move, *press]})

    def press(self, keys: str) -> None:
        """Press keys together, such as "Control+Enter"."""
        values = [KEYS.get(key, key) for key in keys.split("+")]
        self._type([("keyDown", value) for value in values] + [("keyUp", value) for value in reversed(values)])

    def write(self, text: str) -> None:
        self._type([(move, KEYS["Enter"] if letter == "\n" else letter) for letter in text for move in ("keyDown", "keyUp")])

    def _type(self, moves: list[tuple[str, str]]) -> None:
        self.driver.act({"type": "key", "id": "keyboard", "actions": [{"type": move, "value": value} for move, value in moves]})


def find(selector: str) -> str:
    """Return a JavaScript expression for the first element that matches."""
    return f"document.querySelector({json.dumps(selector)})"


def matches(selector: str) -> str:
    """Return a JavaScript expression for an array of the elements that match."""
    return f"[...document.querySelectorAll({json.dumps(selector)})]"
