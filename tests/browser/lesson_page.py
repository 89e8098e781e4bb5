"""A page with cells, with methods for what a reader does and sees."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

# After a change, an editor scrolls only in its next frame.
SCROLLED = "new Promise(done => view.requestMeasure({ read: () => null, write: done }))"

# The views of records are loaded with the first record, and printed text is drawn once a frame.
DRAWN = """() => [...document.querySelectorAll("run-results")].every((results) => !results.cell?.beside.value || results.children.length)
    && [...document.querySelectorAll("run-output, run-results *")].every((part) => part.matches(":defined") && !part.isUpdatePending)"""


class LessonPage:
    def __init__(self, page: Page) -> None:
        self.page = page

    def cell(self, name: str = "sinh-bad") -> Locator:
        return self.page.locator(f'code-cell[data-cell="{name}"]')

    def editor(self, name: str = "sinh-bad") -> Locator:
        return self.cell(name).locator(".cm-content")

    def view(self, what: str, name: str = "sinh-bad") -> Any:
        """Return the value of an expression, in which `view` is the editor's view."""
        return self.cell(name).evaluate(f"cell => {{ const {{view}} = cell.querySelector('code-editor').editor; return {what}; }}")

    def results(self, name: str = "sinh-bad") -> Locator:
        return self.page.locator(f'run-results[data-cell="{name}"]')

    def button(self, words: str, name: str = "sinh-bad") -> Locator:
        return self.cell(name).get_by_role("button", name=words, exact=True)

    def status(self, name: str = "sinh-bad") -> Locator:
        return self.cell(name).locator(".status")

    def hindrance(self, name: str = "sinh-bad") -> Locator:
        """Return the note that says why a run cannot start, and what can be done."""
        return self.cell(name).locator(".hindrance")

    def text(self, name: str = "sinh-bad") -> str:
        """Return the text in the editor."""
        return str(self.cell(name).evaluate("cell => cell.cell.text.value"))

    def write(self, source: str, name: str = "sinh-bad") -> None:
        """Replace the text, like a learner who selects all and pastes, and wait until the editor has scrolled to it."""
        self.editor(name).click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(source)
        self.view(SCROLLED, name)

    def run(self, name: str = "sinh-bad", source: str | None = None) -> None:
        """Run a cell from its editor and wait until the run has ended. A folded cell is opened. A `source` is written into it first."""
        if source is not None:
            self.write(source, name)
        self.cell(name).evaluate("cell => cell.closest('details')?.setAttribute('open', '')")
        before = self.cell(name).evaluate("cell => cell.cell.run.value.result?.id ?? ''")
        self.editor(name).focus()
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_function(
            """([{ cell }, before]) => {
              const { result } = cell.run.value;
              return result && result.id !== before && cell.shown.value === cell.run.value;
            }""",
            arg=[self.handle(name), before],
        )
        self.is_drawn()

    def is_drawn(self) -> None:
        """Wait until everything that runs have printed and shown is drawn, so that it can be read at once."""
        self.page.wait_for_function(DRAWN)

    def handle(self, name: str) -> object:
        return self.cell(name).element_handle()

    def says(self, words: str, name: str = "sinh-bad") -> None:
        expect(self.status(name)).to_contain_text(words)
