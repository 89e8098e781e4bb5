from pathlib import Path

from app.lessons.course.catalogue import load_courses
from app.lessons.toml.problem import Problem
from tests.authoring.written_course import write_course


def test_the_chapters_of_further_courses_come_after_and_are_numbered_on(tmp_path: Path) -> None:
    first, second = write_course(tmp_path / "a"), write_course(tmp_path / "b")
    (second / "one").rename(second / "two")
    (second / "course.toml").write_text('chapters = ["two"]\n')
    catalogue = load_courses([first, second])
    assert catalogue.problems == ()
    assert [(chapter.id, chapter.number) for chapter in catalogue.course.chapters] == [("one", 1), ("two", 2)]
    lesson = catalogue.lesson("one/second")
    assert lesson is not None
    assert catalogue.around(lesson) == (catalogue.lesson("one/first"), catalogue.chapter("two"))


def test_cards_of_all_courses_are_there_and_of_two_with_one_name_the_first(tmp_path: Path) -> None:
    first, second = write_course(tmp_path / "a"), write_course(tmp_path / "b")
    for folder, names in (first, ("sheet",)), (second, ("sheet", "other")):
        (folder / "cards").mkdir()
        for number, name in enumerate(names, 1):
            texts = "\n".join(f'{key} = {{ en = "{folder.name}", zh-Hans = "卡片" }}' for key in ("title", "purpose"))
            section = '[[section]]\nheading = { en = "A", zh-Hans = "甲" }\npitfalls = ["ignores-grad-output"]'
            (folder / "cards" / f"{name}.toml").write_text(f"number = {number}\n{texts}\n{section}\n", encoding="utf-8")
    cards = load_courses([first, second]).cards
    assert {name: card.title["en"] for name, card in cards.items()} == {"sheet": "a", "other": "b"}


def test_a_chapter_without_a_number_keeps_its_place_and_stays_without(tmp_path: Path) -> None:
    first, second = write_course(tmp_path / "a"), write_course(tmp_path / "b")
    for folder, chapters in (first, '"one", "bench"'), (second, '"shelf", "two"'):
        (folder / "course.toml").write_text(f"chapters = [{chapters}]\n")
    (second / "one").rename(second / "two")
    for folder in first / "bench", second / "shelf":
        folder.mkdir()
        (folder / "chapter.toml").write_text(
            'title = { en = "A", zh-Hans = "甲" }\npromise = { en = "B.", zh-Hans = "乙。" }\nlessons = []\n'
        )
    catalogue = load_courses([first, second])
    assert catalogue.problems == ()
    expected = [("one", "1 · One"), ("bench", "A"), ("shelf", "A"), ("two", "2 · One")]
    assert [(chapter.id, chapter.label("en")) for chapter in catalogue.course.chapters] == expected


def test_an_id_that_is_taken_is_told_and_left_out(tmp_path: Path) -> None:
    first, second = write_course(tmp_path / "a"), write_course(tmp_path / "b")
    (second / "one/second/en.md").unlink()
    catalogue = load_courses([first, second])
    assert [lesson.path for lesson in catalogue.course.lessons] == ["one/first", "one/second"]
    taken = 'there is already a chapter "one", in an earlier course: expected another id'
    missing = Problem(f"{second}/one/second/en.md", 1, "expected the text in the language en, the file is missing")
    assert catalogue.problems == (missing, Problem(f"{second}/one/chapter.toml", 1, taken))


def test_an_empty_folder_is_passed_over_and_a_missing_one_is_told(tmp_path: Path) -> None:
    first, empty = write_course(tmp_path / "a"), tmp_path / "empty"
    empty.mkdir()
    (empty / ".gitignore").touch()
    assert load_courses([first, empty]).problems == ()
    [problem] = load_courses([first, tmp_path / "none"]).problems
    assert problem.file == f"{tmp_path}/none/course.toml"
