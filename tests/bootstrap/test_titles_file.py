"""The titles from which the pictures for links are drawn: of every chapter and lesson, as its pages have them."""

from bootstrap.titles_file import collect
from tests.own_course import load_own_course


def test_every_chapter_and_lesson_has_its_title_in_each_language() -> None:
    titles = collect()
    course = load_own_course().course
    for lang in ("en", "zh-Hans"):
        for chapter in course.chapters:
            assert titles.pop(f"{lang}/{chapter.id}") == {"lang": lang, "title": chapter.title[lang], "chapter": "", "term": ""}
            for lesson in chapter.lessons:
                found = titles.pop(f"{lang}/{lesson.path}")
                assert (found["lang"], found["title"], found["chapter"]) == (lang, lesson.texts[lang].title, chapter.label(lang))
                assert found["term"] == lesson.term[lang].replace("`", "")
    assert titles == {}
