"""A class from the operator's first command to the end, when nothing of it is left."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Course, CoursePath
from app.main import create_app
from app.serving.operating import operated_store
from app.settings import Settings
from app.web.services import Services
from tests.browser.axe import violations
from tests.browser.conftest import require_assets
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner, grade
from tests.browser.task_course import PATH, make_catalogue, say
from tests.browser.task_page import TaskPage
from tests.browser.test_exercises import HALF_RIGHT, PASSED
from tests.browser.test_sign_in import add_instructor
from tests.classroom.classes.points.importers import CanvasImporter, MoodleImporter
from tests.classroom.classes.sample_classes import count_rows

TEACHER, CLASS = "Tess Teacher", "Monday, 王老师"
FIRST, SECOND = ("Anouk Ferreira", "mat-90417"), ("=Bohumil <b>Černý", "mat-90418")
CELL, EXERCISE = "exercise_square-blank", "square-blank"
COLUMNS = [f"The derivative of a square ({PATH}/{EXERCISE})", f"A check that finds wrong second derivatives ({PATH}/square-test)"]
OF_CLASSES = {"school_class", "class_staff", "class_lesson", "member", "member_learner", "raised_hand", "note", "points_override"}


class Site:
    """A served course with one path. Nobody is known to it yet."""

    def __init__(self, state: Path) -> None:
        self.settings = Settings(state_folder=state)
        self.runner = StagedRunner()
        words = say("Squares", "平方")
        path = CoursePath(id="squares", title=words, question=words, end=words, lessons=(PATH,))
        self.app = create_app(self.settings, self.runner, Catalogue(Course(make_catalogue().course.chapters, (path,))))
        self.address = ""

    def submit(self, page: Page, source: str, *, passed: bool = False) -> None:
        """Open the exercise if it is not open, write a program into it, and submit that."""
        if not page.url.endswith(f"/en/{PATH}"):
            page.goto(f"{self.address}/en/{PATH}")
        self.runner.plays.append(grade(PASSED if passed else HALF_RIGHT))
        lesson = TaskPage(page)
        lesson.write(source, CELL)
        lesson.submit()
        expect(lesson.verdict()).to_have_text("Passed · 4 of 4" if passed else "Not yet · 2 of 4 · The gradient is right")

    def read_stored(self) -> tuple[set[str], bytes]:
        """Return the tables that have rows, and all bytes of the database."""
        services: Services = self.app.state.services
        services.database.scrub().result()
        tables = services.database.enqueue(count_rows).result()
        files = self.settings.state_folder.glob("*.sqlite3*")
        return {*tables}, b"".join(file.read_bytes() for file in files)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    require_assets()
    monkeypatch.setattr(operated_store, "become_web_user", lambda settings: None)
    made = Site(tmp_path / "state")
    with serving(made.app) as address:
        made.address = address
        yield made


@pytest.mark.timeout(300)  # five browsers one after another, on a busy machine
def test_from_the_operators_command_to_a_class_of_which_nothing_is_left(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    teacher = new_context().new_page()
    sign_up(teacher, add_instructor(site.settings, TEACHER, site.address))
    code = make_class_from_path(teacher)

    first, second = new_context().new_page(), new_context(width=390, height=844).new_page()
    resume_code = join(first, f"{site.address}/en/join?code={code.lower()}", FIRST)
    join(second, f"{site.address}/en/join/{code.replace('-', '')}", SECOND)
    other = new_context().new_page()
    resume(other, site.address, resume_code)

    teacher.get_by_role("link", name="Now", exact=True).click()
    expect(teacher.locator(".board-row")).to_have_count(2)
    site.submit(second, "x = 1\n")
    for number in range(2):
        site.submit(other, f"# {FIRST[0]}, {FIRST[1]}\nx = {number}\n")
    assert second.evaluate("document.documentElement.scrollWidth") <= 390
    see_who_is_stuck(teacher)
    ask_for_help(other)
    help_member(teacher)
    read_note(other)
    teacher.keyboard.press("Escape")
    row_of(teacher, "hand").click()
    teacher.locator("attempt-view summary").first.click()
    expect(teacher.locator("member-drawer .written-note")).to_contain_text(f"{TEACHER} · read")
    show_without_names(teacher)

    site.submit(other, "x = 2\n", passed=True)
    read_points(teacher)

    delete_everything(other)
    teacher.get_by_role("link", name="People", exact=True).click()
    expect(teacher.locator(".people-table tbody tr")).to_have_count(1)
    delete_class(teacher)
    second.reload()
    expect(second.get_by_role("link", name=CLASS)).to_have_count(0)
    tables, stored = site.read_stored()
    assert not tables & OF_CLASSES
    assert [name for name in (*FIRST, *SECOND, "Ferreira", "Bohumil") if name.encode() in stored] == []


def sign_up(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()


def make_class_from_path(page: Page) -> str:
    """Make a class that asks for numbers, and return its code as the projector shows it."""
    page.get_by_role("link", name="The classes that you teach").click()
    page.get_by_label("Name", exact=True).fill(CLASS)
    page.get_by_role("radio", name="Squares").check()
    page.get_by_role("button", name="Make the class").click()
    expect(page.locator("select[name=state]")).to_have_value("open")
    page.get_by_role("link", name="Settings", exact=True).click()
    page.get_by_label("Ask for a student number").check()
    page.get_by_label("Submissions without a new check").fill("2")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    page.get_by_role("link", name="Code", exact=True).click()
    return page.locator(".code-letters").inner_text()


def join(page: Page, address: str, member: tuple[str, str]) -> str:
    """Join by an address that has the code, and return the resume code."""
    page.goto(address)
    expect(page.get_by_text("may be shown to the class without your name")).to_be_visible()
    page.get_by_label("Your name in the class").fill(member[0])
    page.get_by_label("Student number").fill(member[1])
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_role("heading", name="You are in")).to_be_visible()
    return page.locator("#code").inner_text()


def resume(page: Page, address: str, code: str) -> None:
    page.goto(f"{address}/en/resume")
    page.get_by_label("Resume code").fill(code)
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Your name here: {FIRST[0]}")).to_be_visible()


def row_of(page: Page, group: str) -> Locator:
    """Return the first member's row in a group of the board."""
    return page.locator(f".board-group.{group} .board-row", has_text=FIRST[0])


def see_who_is_stuck(page: Page) -> None:
    page.get_by_role("button", name="new: update").click()
    row = row_of(page, "stuck")
    expect(row).to_contain_text("2 submissions")
    expect(row.locator(".board-failing")).to_have_text("The gradient is right")
    expect(page.locator("board-clusters li")).to_contain_text("The gradient is right")
    expect(page.locator("board-clusters .cluster-count")).to_have_text("2")


def ask_for_help(page: Page) -> None:
    control = TaskPage(page).exercise().locator("ask-for-help")
    control.get_by_role("button", name="Ask for help").click()
    control.get_by_label("Show my teacher my text as it is now").check()
    control.get_by_role("button", name="Raise my hand").click()
    expect(control.get_by_text("Your hand is raised.")).to_be_visible()


def help_member(page: Page) -> None:
    """Say that one is coming, and write a note."""
    page.get_by_role("button", name="1 new: update").click()
    row_of(page, "hand").click()
    drawer = page.locator("member-drawer")
    expect(drawer.locator(".drawer-shown")).to_contain_text("x = 1")
    drawer.get_by_role("button", name="I’m coming").click()
    drawer.locator("attempt-view summary").first.click()
    drawer.get_by_role("button", name="Write a note at line 2").click()
    page.keyboard.type("What should x be?")
    drawer.get_by_role("button", name="Write the note").click()
    expect(drawer.locator(".written-note")).to_contain_text(f"What should x be? {TEACHER} · not read yet")


def read_note(page: Page) -> None:
    """Read who is coming, see the dot, and read the note at its line."""
    expect(TaskPage(page).exercise().locator("ask-for-help")).to_contain_text(f"{TEACHER}\u2069 is coming.")
    link = page.locator('.top-places a[href$="/mine"]')
    expect(link.locator(".unread-dot")).to_have_count(1)
    link.click()
    note = page.locator(".own-notes li")
    expect(note).to_contain_text("line 2")
    expect(note.locator(".note-line")).to_have_text("x = 1")
    expect(note.locator(".note-text")).to_have_text("What should x be?")
    expect(link.locator(".unread-dot")).to_have_count(0)


def show_without_names(page: Page) -> None:
    """Show the answers of a cluster, run one, and turn to the next. No name is in the page or in what it sends."""
    page.keyboard.press("Escape")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Show one on the projector").click()
    shown = opened.value
    sent: list[str] = []
    shown.on("request", lambda request: sent.append(f"{request.url} {request.post_data or ''}"))
    shown.set_viewport_size({"width": 1280, "height": 720})
    shown.reload()
    seen = []
    for number in (1, 2):
        expect(shown.locator(".shown-turns")).to_contain_text(f"{number} of 2")
        expect(shown.locator(".cm-content")).to_contain_text("x = ")
        shown.get_by_role("button", name="Run").click()
        expect(shown.locator("run-status")).to_contain_text("ms")
        seen += [shown.content(), shown.title()]
        shown.locator("h1").click()
        shown.keyboard.press("ArrowRight")
    assert sum("/api/runs" in one for one in sent) == 2
    whole = "\n".join([*sent, *seen])
    assert "x = 1" in whole
    assert [name for name in ("Anouk", "Ferreira", "Bohumil", "Čern", "mat-9041", "Tess", "Monday") if name in whole] == []
    assert violations(shown) == []
    shown.close()


def read_points(page: Page) -> None:
    """See the points, and read both files back by the rules of the systems that import them."""
    page.get_by_role("link", name="Points", exact=True).click()
    expect(page.get_by_role("row", name=FIRST[0]).get_by_role("cell").first).to_have_text("1")

    def download(system: str) -> bytes:
        with page.expect_download() as download:
            page.get_by_role("button", name=f"File for {system}").click()
        return download.value.path().read_bytes()

    canvas = CanvasImporter(download("Canvas"))
    assert (canvas.assignments, canvas.possible) == (COLUMNS, ["1", "1"])
    assert canvas.students == [
        [f"'{SECOND[0]}", "", SECOND[1], "", CLASS, "0", ""],
        [FIRST[0], "", FIRST[1], "", CLASS, "1", ""],
    ]
    moodle = MoodleImporter(download("Moodle"))
    assert (moodle.headers[2:], moodle.grades) == (COLUMNS, {FIRST[1]: [1, None], SECOND[1]: [0, None]})


def delete_everything(page: Page) -> None:
    page.locator('.top-places a[href$="/mine"]').click()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_label("Yes, delete all of it.").check()
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_text("Everything is deleted.")).to_be_visible()


def delete_class(page: Page) -> None:
    page.get_by_role("link", name="Settings", exact=True).click()
    page.get_by_label("To delete it, type its name").fill(CLASS)
    page.get_by_role("button", name="Delete the class").click()
    expect(page.get_by_text("The class is deleted")).to_be_visible()
    expect(page.get_by_role("link", name=CLASS)).to_have_count(0)
