"""The search of the course: what people look for is found, in both languages and however it is typed."""

import time
from collections.abc import Sequence

import pytest

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Chapter, Course
from app.protocol.run import Lang
from app.search.search import Search
from tests.own_course import load_own_course
from tests.search.made_queries import find_first, is_right, load_queries

WANTED = 54
NAMES = {
    "needs_input_grad": "own-functions/optional-inputs",
    "vmap": "contract/transforms",
    "retain_graph": "autograd/leaves",
    "setup_context": "own-functions/calling",
    "save_for_backward": "backward-twice/saving-inputs",
    "mark_dirty": "contract/mark-dirty",
    "no_grad": "autograd/no-grad",
}
MESSAGE = "RuntimeError: grad can be implicitly created only for scalar outputs"


def find(search: Search, text: str, lang: Lang = "en", limit: int = 5) -> list[str]:
    return [result.url.removeprefix(f"/{lang}/") for result in search.find(text, lang, limit)]


def drop_anchors(urls: Sequence[str]) -> list[str]:
    return [url.partition("#")[0] for url in urls]


def test_searches_as_people_make_them_find_the_right_place(search: Search) -> None:
    queries = load_queries()
    wrong = [query.q for query in queries if not is_right(query, find_first(search, query))]
    assert len(queries) == 60
    assert len(queries) - len(wrong) >= WANTED, wrong


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_the_lesson_that_teaches_a_name_is_among_the_first(search: Search, name: str, lang: Lang) -> None:
    assert NAMES[name] in drop_anchors(find(search, name, lang, 2))


@pytest.mark.parametrize(
    "text", ["save for backward", "ctx.save_for_backward(x)", "save_for_bac", "SAVE_FOR_BACKWARD", "save_for_backwrad"]
)
def test_a_name_is_found_whole_in_parts_begun_and_misspelt(search: Search, text: str) -> None:
    assert "backward-twice/saving-inputs" in drop_anchors(find(search, text))


@pytest.mark.parametrize("text", ["g", "gr", "gra", "gradch", "gradcheck"])
def test_each_letter_that_is_typed_finds_something(search: Search, text: str) -> None:
    assert find(search, text)


def test_a_page_in_one_language_finds_words_of_the_other(search: Search) -> None:
    assert find(search, "leaf", "zh-Hans")[0] == find(search, "叶子张量", "en")[0] == "glossary#term-leaf"
    assert search.find("leaf", "zh-Hans", 1)[0].title == "叶子张量"


def test_a_result_jumps_to_the_section(search: Search) -> None:
    found = search.find("keeping more", "en", 1)[0]
    assert (found.kind, found.title, found.where) == ("section", "Keeping more", "1 · Autograd › Whose gradient is kept?")
    assert found.url == "/en/autograd/leaves#section-keeping-more"


def test_what_was_found_is_marked(search: Search) -> None:
    excerpt = search.find("needs_input_grad", "zh-Hans", 1)[0].excerpt
    assert next(part.text for part in excerpt if part.match) == "needs_input_grad"
    assert len("".join(part.text for part in excerpt)) < 200


def test_a_lesson_shows_the_term_under_which_it_is_found(search: Search) -> None:
    found = next(result for result in search.find("mark_dirty", "en", 3) if result.kind == "lesson")
    assert found.excerpt[0].match
    assert "".join(part.text for part in found.excerpt).startswith("mark_dirty · ")


def test_a_page_is_found_once_except_the_glossary(search: Search) -> None:
    pages = drop_anchors(find(search, "gradient", limit=200))
    assert pages.count("glossary") > 1
    assert sorted(set(pages) - {"glossary"}) == sorted(page for page in pages if page != "glossary")


def test_no_excerpt_says_what_its_page_covers(search: Search) -> None:
    rule = "autograd then derives the second derivative"
    assert "backward-twice/saving-inputs" in drop_anchors(find(search, rule, limit=20))
    excerpts = ["".join(part.text for part in result.excerpt) for result in search.find(rule, "en", 20)]
    assert not any("If backward needs an input, save the input" in excerpt for excerpt in excerpts)


@pytest.mark.parametrize(
    "text",
    [
        MESSAGE,
        f"Traceback (most recent call last):\n    loss.backward()\n{MESSAGE}",
        f'Traceback (most recent call last):   File "a.py", line 1     loss.backward() {MESSAGE}',
        "x " * 5000 + MESSAGE,
        "grad can be implicitly created only",
    ],
)
def test_a_pasted_message_finds_what_explains_it_first(search: Search, text: str) -> None:
    assert find(search, text)[0] == "pitfalls/not-a-scalar"


@pytest.mark.parametrize(
    "text",
    [
        '"',
        '""',
        "leaf NEAR tensor",
        "NEAR(leaf tensor, 5)",
        "leaf*",
        "^leaf",
        "term_en: leaf",
        "{term_en title_en}: leaf",
        "-leaf",
        "leaf AND",
        "OR OR",
        "NOT leaf",
        "leaf) OR (1=1",
        "'; DROP TABLE place; --",
        "(a+)+$",
        "%s%n{0}{name}",
        "\\",
        "\0leaf\0",
        "\ud800leaf\udfff",
        "\u202eflael\u202c leaf",
        "שלום عالم leaf",
        "👩‍👩‍👧 leaf",
        "",
        " \n\t",
        "的",
        "the",
        "∂L/∂w",
        "x" * 100_000,
        "梯" * 100_000,
        "a b " * 25_000,
        "_." * 50_000,
        " ".join(f"word{number}" for number in range(1000)),
        "RuntimeError: " * 7000,
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_nothing_that_is_typed_is_more_than_words(search: Search, text: str, lang: Lang) -> None:
    begin = time.process_time()
    found = find(search, text, lang)
    assert time.process_time() - begin < 1  # far above what is usual, and far below what a pattern that goes back and forth takes
    assert ("leaf" not in text) or "glossary#term-leaf" in found or "autograd/leaves" in drop_anchors(found)


def test_the_index_follows_the_catalogue() -> None:
    catalogue = load_own_course()
    chapter = catalogue.course.chapters[0]
    changing = Catalogue(Course((Chapter(id=chapter.id, title=chapter.title, lessons=chapter.lessons[:1]),)))
    search = Search(changing)
    assert "autograd/graph" not in drop_anchors(find(search, "next_functions"))
    changing.course = Course((chapter,))
    assert "autograd/graph" in drop_anchors(find(search, "next_functions"))
