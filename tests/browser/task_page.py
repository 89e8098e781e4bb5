"""A lesson's page as a learner uses its predictions and exercises: words for what tests do and look at."""

from playwright.sync_api import Locator, expect

from tests.browser.lesson_page import LessonPage


class TaskPage(LessonPage):
    def prediction(self, name: str) -> Locator:
        return self.page.locator(f"#prediction-{name}")

    def exercise(self, name: str = "square-blank") -> Locator:
        return self.page.locator(f"#exercise-{name}")

    def code(self, name: str = "square-blank") -> Locator:
        """Where the learner writes."""
        return self.editor(f"exercise_{name}")

    def submit(self, name: str = "square-blank") -> None:
        """From the editor, by its key; waits for nothing."""
        self.code(name).focus()
        self.page.keyboard.press("Control+Enter")

    def verdict(self, name: str = "square-blank") -> Locator:
        """The line in the cell's head."""
        return self.status(f"exercise_{name}")

    def tab_to(self, target: Locator, most: int = 40) -> None:
        """Goes there by Tab alone, from where the keyboard is."""
        for _ in range(most):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        expect(target).to_be_focused()
