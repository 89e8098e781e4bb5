"""The playground, with methods for what a reader does and sees."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.lesson_page import LessonPage

PLAYGROUND = "/en/playground"


class PlaygroundPage(LessonPage):
    """The playground, whose cell is that of the open program, whatever its name."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        expect(self.editor()).to_be_visible()

    def cell(self, name: str = "") -> Locator:
        return self.page.locator("code-cell")

    def results(self, name: str = "") -> Locator:
        return self.page.locator("run-results")

    def note(self) -> Locator:
        return self.page.locator("playground-bench > [role=status]")

    def tool(self, words: str) -> Locator:
        return self.page.locator(".program-bar").get_by_role("button", name=words, exact=True)

    def open_menu(self, words: str) -> Locator:
        """Open one of the menus of the bar."""
        button = self.tool(words)
        button.click()
        menu = self.page.locator(f"#{button.get_attribute('popovertarget')}")
        expect(menu).to_be_visible()
        return menu

    def choose(self, menu: str, item: str) -> None:
        self.open_menu(menu).get_by_role("button", name=item, exact=True).click()

    def name(self) -> str:
        """Return the name of the open program."""
        return self.page.locator(".program-name").inner_text().strip()

    def is_called(self, name: str) -> None:
        expect(self.page.locator(".program-name")).to_have_text(name)

    def listed(self) -> list[str]:
        """Return the names of all programs, in their order."""
        menu = self.open_menu(f"Program: {self.name()}")
        names = [one.inner_text() for one in menu.locator("button > span").all()]
        self.page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
        return names

    def switch_to(self, name: str) -> None:
        self.open_menu(f"Program: {self.name()}").locator("button").filter(has_text=name).first.click()
        self.is_called(name)

    def act(self, name: str) -> None:
        self.choose("Rename, duplicate, delete", name)

    def rename(self, name: str) -> None:
        self.act("Rename")
        self.page.keyboard.insert_text(name)
        self.page.keyboard.press("Enter")
        self.is_called(name)

    def look_back(self) -> Locator:
        self.tool("History").click()
        dialog = self.page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        return dialog
