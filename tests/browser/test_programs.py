"""The programs of the playground: their names, examples, history, files, and two tabs."""

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.playground_page import PLAYGROUND, PlaygroundPage
from tests.browser.test_accessibility import violations
from tests.patience import wait_for

OLD_KEY = "gradroom/draft/playground/playground"


def test_an_example_never_overwrites(bench: PlaygroundPage) -> None:
    bench.write("print('mine')")
    bench.choose("Examples", "Square")
    bench.is_called("Square")
    assert "class Square" in bench.text()
    assert bench.listed() == ["SinhBad", "Square"]
    bench.switch_to("SinhBad")
    assert bench.text() == "print('mine')"


def test_an_example_that_was_left_as_it_came_makes_way_and_undo_brings_it_back(bench: PlaygroundPage) -> None:
    bench.choose("Examples", "Square")
    bench.is_called("Square")
    assert bench.listed() == ["Square"]
    bench.editor().focus()
    bench.page.keyboard.press("Control+z")
    assert "class SinhBad" in bench.text()
    expect(bench.look_back().get_by_role("radio")).to_have_count(1)


def test_undo_stays_within_a_program(bench: PlaygroundPage) -> None:
    bench.write("print('mine')")
    bench.tool("New program").click()
    bench.is_called("Program")
    expect(bench.editor()).to_be_focused()
    bench.page.keyboard.press("Control+z")
    assert bench.text() == ""


def test_what_was_written_before_programs_had_names_is_taken_over(open_page: OpenPage) -> None:
    page = open_page("/en/")
    draft = json.dumps({"starter": "45h4k8fek4", "text": "print('old')", "undo": None})
    page.evaluate("([key, draft]) => localStorage.setItem(key, draft)", [OLD_KEY, draft])
    page.goto(page.url + "playground")
    bench = PlaygroundPage(page)
    bench.is_called("My program")
    assert bench.text() == "print('old')"
    page.reload()
    assert PlaygroundPage(page).text() == "print('old')"


def test_programs_are_named_duplicated_and_deleted_and_come_back(bench: PlaygroundPage) -> None:
    bench.rename("梯度 1")
    bench.write("print('mine')")
    bench.act("Duplicate")
    bench.is_called("梯度 1 2")
    assert bench.text() == "print('mine')"
    bench.act("Delete")
    bench.is_called("梯度 1")
    expect(bench.note()).to_contain_text("梯度 1 2 was deleted.")
    bench.note().get_by_role("button", name="Undo").click()
    bench.is_called("梯度 1 2")
    assert bench.text() == "print('mine')"
    bench.act("Delete")
    bench.page.reload()
    bench.is_called("梯度 1")
    menu = bench.open_menu("Program: 梯度 1")
    expect(menu).to_contain_text("Deleted in the last seven days")
    menu.get_by_role("button", name="梯度 1 2", exact=True).click()
    bench.is_called("梯度 1 2")
    bench.page.reload()
    bench.is_called("梯度 1 2")
    assert bench.listed() == ["梯度 1", "梯度 1 2"]


def test_escape_leaves_a_name_as_it_was(bench: PlaygroundPage) -> None:
    bench.act("Rename")
    bench.page.keyboard.insert_text("Other")
    bench.page.keyboard.press("Escape")
    bench.is_called("SinhBad")


def test_an_earlier_version_is_compared_and_comes_back_and_that_can_be_undone(bench: PlaygroundPage) -> None:
    bench.write("print('one')")
    bench.run()
    bench.write("print('two')")
    bench.run()
    dialog = bench.look_back()
    dialog.get_by_role("radio").nth(1).check()
    expect(dialog.locator("del")).to_have_text("− print('two')\n")
    expect(dialog.locator("ins")).to_have_text("+ print('one')\n")
    assert violations(bench.page, within="dialog[open]") == []
    dialog.get_by_role("button", name="Restore this version").click()
    expect(dialog).to_be_hidden()
    expect(bench.editor()).to_have_text("print('one')")  # once the text that it replaces is kept
    assert bench.text() == "print('one')"
    bench.page.keyboard.press("Control+z")
    assert bench.text() == "print('two')"
    bench.page.reload()
    expect(PlaygroundPage(bench.page).look_back().get_by_role("radio")).to_have_count(2)


def test_a_program_is_downloaded_as_a_file_and_as_a_notebook(bench: PlaygroundPage, tmp_path: Path) -> None:
    bench.rename("Twice / 两次")
    bench.write("import torch\n\nprint('梯度')\n")
    with bench.page.expect_download() as download:
        bench.choose("Download", "Python file (.py)")
    assert download.value.suggested_filename == "Twice_两次.py"
    download.value.save_as(tmp_path / "program.py")
    assert (tmp_path / "program.py").read_text(encoding="utf-8") == bench.text()
    with bench.page.expect_download() as download:
        bench.choose("Download", "Jupyter notebook (.ipynb)")
    assert download.value.suggested_filename == "Twice_两次.ipynb"
    download.value.save_as(tmp_path / "program.ipynb")
    notebook = json.loads((tmp_path / "program.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert ["".join(cell["source"]) for cell in notebook["cells"]] == ["import torch\n\nprint('梯度')"]


def test_two_tabs_on_two_programs_keep_both(open_page: OpenPage) -> None:
    here, there = PlaygroundPage(open_page(PLAYGROUND)), PlaygroundPage(open_page(PLAYGROUND))
    there.tool("New program").click()
    there.is_called("Program")
    there.write("print('there')")
    here.write("print('here')")
    wait_for(lambda: here.listed() == ["SinhBad", "Program"], lambda: str(here.listed()))
    for page, name, text in ((here, "SinhBad", "print('here')"), (there, "Program", "print('there')")):
        page.page.reload()
        page.is_called(name)
        assert page.text() == text


def test_two_tabs_on_one_program_have_one_text(open_page: OpenPage) -> None:
    here, there = PlaygroundPage(open_page(PLAYGROUND)), PlaygroundPage(open_page(PLAYGROUND))
    here.write("print('here')")
    there.write("print('there')")
    expect(here.editor()).to_have_text("print('there')")
    expect(here.cell()).not_to_contain_text("A different text")


def test_a_program_deleted_in_another_tab_can_be_kept(open_page: OpenPage) -> None:
    here, there = PlaygroundPage(open_page(PLAYGROUND)), PlaygroundPage(open_page(PLAYGROUND))
    there.act("Delete")
    expect(here.note()).to_contain_text("This program was deleted in another tab.")
    here.note().get_by_role("button", name="Keep it").click()
    expect(here.note()).not_to_contain_text("deleted")
