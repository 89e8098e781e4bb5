"""A lesson's page, with methods for how a learner uses its predictions and exercises."""

from playwright.sync_api import Locator, expect

from tests.browser.lesson_page import LessonPage


class TaskPage(LessonPage):
    def prediction(self, name: str) -> Locator:
        return self.page.locator(f"#prediction-{name}")

    def exercise(self, name: str = "square-blank") -> Locator:
        return self.page.locator(f"#exercise-{name}")

    def code(self, name: str = "square-blank") -> Locator:
        """Return the editor of an exercise."""
        return self.editor(f"exercise_{name}")

    def submit(self, name: str = "square-blank") -> None:
        """Submit from the editor, by its key, without waiting."""
        self.code(name).focus()
        self.page.keyboard.press("Control+Enter")

    def verdict(self, name: str = "square-blank") -> Locator:
        """Return the line in the cell's head."""
        return self.status(f"exercise_{name}")

    def tab_to(self, target: Locator, most: int = 40) -> None:
        """Move the focus to the target by Tab alone, from where it is."""
        for _ in range(most):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        expect(target).to_be_focused()
