"""A shared program is offered, and the browser stores it only once it was edited or kept. The number of stored programs is bounded."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.playground_page import PLAYGROUND, PlaygroundPage
from tests.browser.test_accessibility import violations
from tests.browser.test_program_links import link_to
from tests.patience import wait_for

SENT = link_to(name="Sent", source="print('sent')", runtime="torch")
OTHER = link_to(name="Other", source="print('other')", runtime="torch")
STORED = "() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter(key => key.startsWith('gradroom/'))"
STORED_RESULTS = """async () => {
    const database = await new Promise((done) => { indexedDB.open('gradroom').onsuccess = ({ target }) => done(target.result); });
    if (!database.objectStoreNames.length) return [];
    const keys = database.transaction('results').objectStore('results').getAllKeys();
    return await new Promise((done) => { keys.onsuccess = () => done(keys.result); });
}"""


def open_link(open_page: OpenPage, fragment: str = SENT, lang: str = "en", **options: object) -> PlaygroundPage:
    return PlaygroundPage(open_page(f"/{lang}/playground{fragment}", **options))


def go_to(bench: PlaygroundPage, fragment: str) -> None:
    """Change the fragment of the address, as when a learner pastes a link there."""
    bench.page.evaluate("fragment => { location.hash = fragment }", fragment)


def is_offered(bench: PlaygroundPage, fragment: str = SENT) -> None:
    expect(bench.note()).to_contain_text("A shared program; read it before you run it. It is kept in this browser once you edit it.")
    expect(bench.page).to_have_url(re.compile(re.escape(fragment) + "$"))


def is_kept(bench: PlaygroundPage) -> None:
    expect(bench.note()).not_to_contain_text("A shared program")
    expect(bench.page).to_have_url(re.compile(f"{PLAYGROUND}$"))


def fill(page: Page, count: int = 99) -> None:
    """Store programs, of which only the first is edited."""
    page.evaluate(
        """count => {
            for (let number = 1; number <= count; number++) {
                const about = { named: false, runtime: 'torch', origin: 'link', made: number, deleted: 0 };
                const program = { ...about, name: `Program ${number}`, starter: `print(${number})` };
                localStorage.setItem(`gradroom/program/filled${number}`, JSON.stringify(program));
            }
            const draft = { starter: '', text: 'print("mine")', undo: null, other: null, from: 0, version: 0, base: '', sent: [] };
            localStorage.setItem('gradroom/draft/playground/filled1', JSON.stringify(draft));
        }""",
        count,
    )


def full_bench(open_page: OpenPage, fragment: str = "") -> PlaygroundPage:
    """Open the playground of a browser that stores as many programs as it may."""
    page = open_page(PLAYGROUND)
    PlaygroundPage(page)
    fill(page)
    page.close()
    return PlaygroundPage(open_page(PLAYGROUND + fragment))


def test_thirty_links_that_were_opened_and_run_leave_nothing(open_page: OpenPage) -> None:
    bench = open_link(open_page)
    for number in range(29):
        go_to(bench, link_to(name=f"Sent {number}", source=f"print({number})", runtime="torch"))
        bench.is_called(f"Sent {number}")
    bench.run()
    bench.says("Finished")
    assert bench.listed() == ["Sent 28"]
    assert bench.page.evaluate(STORED) == []
    assert bench.page.evaluate(STORED_RESULTS) == []
    bench.page.goto(bench.page.url.partition("#")[0])
    PlaygroundPage(bench.page).is_called("SinhBad")
    assert bench.listed() == ["SinhBad"]


def test_a_shared_program_is_there_after_a_reload_and_in_the_other_language(open_page: OpenPage) -> None:
    bench = open_link(open_page)
    is_offered(bench)
    bench.page.reload()
    is_offered(bench)
    assert PlaygroundPage(bench.page).text() == "print('sent')"
    bench.page.get_by_role("link", name="中文").click()
    bench.page.wait_for_url("**/zh-Hans/playground#program=*")
    bench = PlaygroundPage(bench.page)
    expect(bench.note()).to_contain_text("运行前请先读一遍")
    assert bench.text() == "print('sent')"
    assert bench.page.evaluate(STORED) == []


def test_a_shared_program_is_kept_by_the_first_edit(open_page: OpenPage) -> None:
    bench = open_link(open_page)
    bench.run()
    bench.says("Finished")
    bench.editor().press_sequentially("#")
    is_kept(bench)
    expect(bench.note()).to_contain_text("Kept in this browser")
    expect(bench.look_back().get_by_role("radio")).to_have_count(1)  # read from the store, so it has been written
    bench.page.keyboard.press("Escape")
    bench.page.reload()
    bench = PlaygroundPage(bench.page)
    bench.is_called("Sent")
    assert "#" in bench.text()
    expect(bench.cell().locator("run-output")).to_contain_text("sent")  # what it printed before the edit
    expect(bench.look_back().get_by_role("radio")).to_have_count(1)


def test_a_shared_program_is_kept_by_a_press(open_page: OpenPage) -> None:
    bench = open_link(open_page)
    assert violations(bench.page) == []
    bench.note().get_by_role("button", name="Keep it now").click()
    is_kept(bench)
    expect(bench.tool("Program: Sent")).to_be_focused()
    bench.page.reload()
    PlaygroundPage(bench.page).is_called("Sent")
    assert bench.text() == "print('sent')"


def test_a_link_opened_again_opens_what_was_kept_of_it(open_page: OpenPage) -> None:
    bench = open_link(open_page)
    bench.write("print('changed')")
    again = open_link(open_page)
    again.is_called("Sent")
    assert again.text() == "print('changed')"
    expect(again.note()).to_contain_text("You have this program already")
    is_kept(again)
    assert again.listed() == ["Sent"]


def test_a_link_opened_in_two_tabs_becomes_one_program(open_page: OpenPage) -> None:
    here, there = open_link(open_page), open_link(open_page)
    there.write("print('there')")
    expect(here.editor()).to_have_text("print('there')")
    is_kept(here)
    here.write("print('here')")
    expect(there.editor()).to_have_text("print('here')")
    assert there.listed() == ["Sent"]


def test_back_and_forward_pass_through_links(bench: PlaygroundPage) -> None:
    bench.write("print('mine')")
    go_to(bench, SENT)
    is_offered(bench)
    go_to(bench, OTHER)
    bench.is_called("Other")
    bench.page.evaluate("history.back()")
    bench.is_called("Sent")
    is_offered(bench)
    bench.page.evaluate("history.back()")
    bench.is_called("SinhBad")
    assert bench.text() == "print('mine')"
    bench.page.evaluate("history.forward()")
    bench.is_called("Sent")
    bench.write("print('changed')")
    is_kept(bench)
    bench.page.evaluate("history.back()")
    bench.page.evaluate("history.forward()")
    bench.is_called("Sent")
    assert bench.text() == "print('changed')"
    assert bench.listed() == ["SinhBad", "Sent"]


def test_what_leads_to_a_place_in_the_page_leaves_the_program_in_its_address(open_page: OpenPage) -> None:
    bench = open_link(open_page)
    go_to(bench, "#main")
    is_offered(bench)


def test_a_shared_program_that_is_left_for_another_is_named_and_comes_back(bench: PlaygroundPage) -> None:
    bench.write("print('mine')")
    go_to(bench, SENT)
    bench.is_called("Sent")
    bench.switch_to("SinhBad")
    expect(bench.note()).to_contain_text("Sent was not kept.")
    expect(bench.page).to_have_url(re.compile(f"{PLAYGROUND}$"))
    assert bench.listed() == ["SinhBad"]
    bench.note().get_by_role("button", name="Undo").click()
    bench.is_called("Sent")
    is_offered(bench)
    bench.act("Delete")
    expect(bench.note()).to_contain_text("Sent was not kept.")
    assert bench.text() == "print('mine')"


def test_what_an_earlier_version_kept_of_links_stays(open_page: OpenPage) -> None:
    page = open_page("/en/")
    fill(page, 30)
    page.goto(page.url + "playground")
    bench = PlaygroundPage(page)
    assert bench.listed() == [f"Program {number}" for number in range(1, 31)]
    page.goto(f"{page.url}{link_to(name='Sent', source='print(7)', runtime='torch')}")
    bench.is_called("Program 7")
    assert len(bench.listed()) == 30


def test_at_the_bound_the_oldest_unedited_program_can_make_room_for_a_new_one(open_page: OpenPage) -> None:
    bench = full_bench(open_page)
    bench.tool("New program").click()
    expect(bench.note()).to_contain_text("This browser keeps at most 100 programs, and has that many.")
    expect(bench.note()).to_contain_text("The oldest that you never edited is Program 2.")
    bench.note().get_by_role("button", name="Delete Program 2").click()
    expect(bench.note()).to_contain_text("Program 2 was deleted.")
    bench.note().get_by_role("button", name="Undo").click()
    assert len(bench.listed()) == 100
    bench.tool("New program").click()
    bench.note().get_by_role("button", name="Delete Program 2").click()
    bench.tool("New program").click()
    bench.is_called("Program")
    assert len(bench.listed()) == 100
    assert "Deleted in the last seven days" in bench.open_menu("Program: Program").inner_text()


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_at_the_bound_a_shared_program_runs_and_is_kept_once_there_is_room(open_page: OpenPage, lang: str) -> None:
    full_bench(open_page).page.close()
    bench = open_link(open_page, SENT, lang, width=360, height=740)
    keys = bench.page.evaluate(STORED)
    expect(bench.note()).to_contain_text("Program 2")
    assert violations(bench.page) == []
    assert bench.page.evaluate("document.documentElement.scrollWidth") == 360
    bench.write("print('changed')")
    expect(bench.note()).to_contain_text({"en": "Your changes are not kept.", "zh-Hans": "你的修改没有保留。"}[lang])
    assert bench.page.evaluate(STORED) == keys
    bench.note().get_by_role("button").click()
    expect(bench.page).to_have_url(re.compile(f"/{lang}/playground$"))
    bench.page.reload()
    bench = PlaygroundPage(bench.page)
    bench.is_called("Sent")
    assert bench.text() == "print('changed')"
    drafts = bench.page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('gradroom/draft/')).map(key => localStorage[key])")
    assert sorted(json.loads(one)["text"] for one in drafts) == ['print("mine")', "print('changed')"]


def test_leaving_asks_where_changes_of_a_shared_program_are_not_kept(open_page: OpenPage) -> None:
    bench = full_bench(open_page, SENT)
    asked = []
    bench.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    bench.page.reload()
    assert asked == []
    bench = PlaygroundPage(bench.page)
    bench.write("print('changed')")
    bench.page.reload()
    wait_for(lambda: asked == ["beforeunload"], lambda: str(asked))
