"""The journeys of a reader in every browser. A journey's docstring is its line in the table."""

import io
from collections.abc import Callable

import pypdfium2

from tests.browser.test_page import TEXT_NODES, squeezed
from tests.other_browsers.visit import Visit, find
from tests.patience import wait_for

Journey = Callable[[Visit], None]
LESSON = "/en/backward-twice/sinh-bad"
FIRST, SECOND, THIRD = "sinh-bad", "sinh-bad-graph", "sinh-bad-squared"
PAGES = ("/", "/playground", "/what-works", "/backward-twice/sinh-bad", "/backward-twice/saving-intermediates", "/no/such-lesson")


def cell(name: str, part: str = "") -> str:
    return f'code-cell[data-cell="{name}"] {part}'


def results(name: str, part: str = "") -> str:
    return f'run-results[data-cell="{name}"] {part}'


def focused(name: str) -> str:
    """Return the expression for whether the editor of this cell has the focus."""
    return f"{find(cell(name, '.cm-content'))} === document.activeElement"


def text(name: str) -> str:
    """Return the expression for the text of a cell."""
    return f"{find(cell(name))}.cell.text.value"


def run(visit: Visit, name: str = FIRST, keys: str = "Control+Enter") -> None:
    visit.click(cell(name, ".cm-content"))
    visit.until(focused(name))
    visit.press(keys)


def read(visit: Visit) -> None:
    """read a lesson: text, mathematics, coloured code, icons"""
    visit.go("/en/backward-twice/saving-intermediates")
    visit.there("h1")
    visit.there(".cm-content")
    wide = "[...document.querySelectorAll('math')].every(one => one.getBoundingClientRect().width > 4)"
    visit.until(f"document.querySelector('math') && {wide}")
    visit.until("[...document.fonts].some(font => font.status === 'loaded' && /math/i.test(font.family))")
    visit.until("new Set([...document.querySelectorAll('.cm-line span')].map(one => getComputedStyle(one).color)).size > 2")


def see_results(visit: Visit) -> None:
    """run two cells: verdicts, the Jacobians as a table, the graph"""
    visit.go(LESSON)
    run(visit)
    visit.there(results(FIRST, ".panel-passing summary"), "gradcheck passes")
    visit.there(results(FIRST), "gradgradcheck fails")
    visit.there(results(FIRST, "jacobian-view td"))
    run(visit, SECOND)
    visit.there(results(SECOND, "svg .node.isolated"), "grad_x")


def keys_run(visit: Visit) -> None:
    """Ctrl+Enter stays in the cell, Shift+Enter goes on to the next"""
    visit.go(LESSON)
    run(visit)
    visit.there(results(FIRST), "gradgradcheck fails")
    visit.until(focused(FIRST))
    visit.press("Shift+Enter")
    visit.until(focused(SECOND))


def keys_walk(visit: Visit) -> None:
    """after Esc, the arrow keys walk the cells, and Enter edits"""
    visit.go(LESSON)
    visit.click(cell(FIRST, ".cm-content"))
    for key, there in (("Escape", FIRST), ("ArrowDown", SECOND), ("ArrowDown", THIRD), ("ArrowUp", SECOND), ("Enter", SECOND)):
        visit.press(key)
        visit.until(focused(there))
    before = visit.evaluate(text(SECOND))
    visit.write("#")
    visit.until(f"{text(SECOND)}.length === {len(before) + 1}")


def keep(visit: Visit) -> None:
    """edits and the last results outlive a reload, and an edit afterwards is told"""
    visit.go(LESSON)
    visit.click(cell(FIRST, ".cm-content"))
    visit.press("Control+a")
    visit.write("print('mine')")
    visit.press("Control+Enter")
    visit.there(results(FIRST, ".output"), "mine")
    visit.reload()
    visit.there(results(FIRST, ".output"), "mine")
    visit.there(cell(FIRST, ".status"), "kept from")
    visit.until(f"{text(FIRST)} === \"print('mine')\"")
    visit.click(cell(FIRST, ".cm-content"))
    visit.write("#")
    visit.there(cell(FIRST, ".status"), "edited since")


def stop(visit: Visit) -> None:
    """what an endless loop prints is seen at once, and Stop ends it"""
    visit.go(LESSON)
    visit.click(cell(FIRST, ".cm-content"))
    visit.press("Control+a")
    visit.write("print('on', flush=True)\nwhile True: pass")
    visit.press("Control+Enter")
    visit.there(cell(FIRST, ".output"), "on")
    visit.click(cell(FIRST, "button"), "Stop")
    visit.there(cell(FIRST, ".status"), "Stopped")


def switch(visit: Visit) -> None:
    """the language and the theme are switched, and stay"""
    visit.go(LESSON)
    visit.click("a[data-lang=zh-Hans]")
    visit.until("document.documentElement.lang === 'zh-Hans'")
    visit.there(cell(FIRST, "button"))
    visit.click("[data-action=theme]")
    visit.click("[data-action=theme]")
    dark = "getComputedStyle(document.body).backgroundColor === 'rgb(21, 24, 27)'"
    visit.until(dark)
    visit.reload()
    visit.until(dark)


def progress(visit: Visit) -> None:
    """the map shows which cells were run"""
    visit.go(LESSON)
    run(visit)
    visit.there(results(FIRST), "gradgradcheck fails")
    visit.click("a.brand")
    visit.there('[data-lesson="backward-twice/sinh-bad"] .progress', "1 of 7 done")


def play(visit: Visit) -> None:
    """the playground runs its first program, and opens and keeps an example"""
    visit.go("/en/playground")
    visit.click("code-cell button", "Run")
    visit.there("run-results", "gradgradcheck fails")
    visit.there("run-results svg .node.isolated", "grad_x")
    visit.click("[popovertarget=examples]")
    visit.click("#examples button", "Square")
    visit.there(".program-name", "Square")
    visit.reload()
    visit.there(".program-name", "Square")
    visit.until("document.querySelector('code-cell').cell.text.value.includes('class Square')")


def paper(visit: Visit) -> None:
    """on paper: the whole lesson, each result under its cell"""
    visit.go(LESSON)
    run(visit)
    visit.there(results(FIRST), "gradgradcheck fails")
    document = pypdfium2.PdfDocument(io.BytesIO(visit.driver.print_pdf()))
    printed = squeezed("".join(page.get_textpage().get_text_range() for page in document))
    # Headings are left out, because Firefox may draw their letters as shapes. Only beginnings count, because a page may end later in a
    # piece.
    pieces = visit.evaluate(f"({TEXT_NODES})([...document.querySelectorAll('.text > :is(p, ul)')])")
    lines = visit.evaluate("[...document.querySelectorAll('code-cell')].flatMap(one => one.cell.text.value.split('\\n'))")
    assert len(pieces) > 5 and len(lines) > 40
    missing = [piece for piece in [*pieces, *lines] if squeezed(piece)[:12] not in printed]
    assert not missing, f"not on paper: {missing}"
    places = [printed.find(squeezed(words)) for words in ("for the random incoming gradient", "import torchviz")]
    assert -1 < places[0] < places[1], "the results are not under their cell"


def narrow(visit: Visit) -> None:
    """at 360 px nothing is wider than the page, before and after a run"""
    visit.driver.resize(360, 740)
    for lang in ("en", "zh-Hans"):
        for path in PAGES:
            visit.go(f"/{lang}{path}")
            visit.there("h1")
            fits(visit)
    visit.go(LESSON)
    run(visit)
    visit.there(results(FIRST), "gradgradcheck fails")
    fits(visit)


def fits(visit: Visit) -> None:
    width, page = visit.evaluate("[innerWidth, document.documentElement.scrollWidth]")
    assert width == 360, f"the window is {width} px wide"
    assert page <= 360, f"{visit.evaluate('location.pathname')} is {page} px wide"


def hear(visit: Visit) -> None:
    """(errors and violations of the policy are heard: no journey above had one)"""
    visit.go("/en/")
    visit.evaluate("setTimeout(() => { throw new Error('thrown on purpose'); })")
    visit.evaluate("document.head.append(Object.assign(document.createElement('script'), { textContent: 'against = 1' }))")
    for words in ("thrown on purpose", "policy script-src"):
        wait_for(lambda words=words: words in "\n".join(visit.heard), lambda: f"heard: {visit.heard}")  # type: ignore[misc]
    visit.heard.clear()


JOURNEYS: tuple[Journey, ...] = (read, see_results, keys_run, keys_walk, keep, stop, switch, progress, play, paper, narrow, hear)
