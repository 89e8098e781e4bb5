"""A program of the playground as a link."""

import base64
import json
import re
import zlib
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.playground_page import PLAYGROUND, PlaygroundPage
from tests.browser.staged_runner import StagedRunner


def link_to(**program: object) -> str:
    """The fragment of a link, made by hand."""
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    coded = deflate.compress(json.dumps(program).encode()) + deflate.flush()
    return "#program=1." + base64.urlsafe_b64encode(coded).decode().rstrip("=")


def test_a_link_carries_the_program_and_runs_nothing(stage: tuple[str, StagedRunner], first_visit: Callable[..., Page]) -> None:
    address, runner = stage
    page = first_visit(address, PLAYGROUND)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sender = PlaygroundPage(page)
    sender.rename("For you · 给你")
    sender.write("print('sent 梯度')")
    page.get_by_label("Runtime").select_option(label="JAX")
    sender.tool("Share").click()
    expect(sender.note()).to_contain_text("Link copied.")
    link = str(page.evaluate("navigator.clipboard.readText()"))
    sender.write("print('changed since')")
    expect(sender.note()).not_to_contain_text("Link copied.")
    sender.tool("Share").click()
    expect(sender.note()).to_contain_text("Link copied.")
    page.get_by_label("Runtime").select_option(label="PyTorch")
    expect(sender.note()).not_to_contain_text("Link copied.")

    other = first_visit(address, PLAYGROUND, locale="en")
    PlaygroundPage(other).write("print('mine')")
    other.goto(link)
    receiver = PlaygroundPage(other)
    receiver.is_called("For you · 给你")
    assert receiver.text() == "print('sent 梯度')"
    expect(other.get_by_label("Runtime")).to_have_value("jax")
    expect(receiver.note()).to_contain_text("A shared program; read it before you run it.")
    assert runner.orders == []
    assert receiver.listed() == ["SinhBad", "For you · 给你"]

    receiver.write("print('changed')")
    receiver.button("Run").click()
    receiver.says("Finished")
    assert [(order.runtime, order.program.source.text) for order in runner.orders] == [("jax", "print('changed')")]


@pytest.mark.parametrize("fragment", ["#program=1.abc", "#program=9.abc", link_to(name="Sent", source=5, runtime="torch")])
def test_a_broken_link_says_so_and_changes_nothing(open_page: OpenPage, fragment: str) -> None:
    page = open_page(PLAYGROUND + fragment)
    bench = PlaygroundPage(page)
    expect(bench.note()).to_contain_text("This link is damaged or was cut off")
    assert bench.listed() == ["SinhBad"]
    expect(page).to_have_url(re.compile(f"{PLAYGROUND}$"))


def test_what_a_link_carries_is_text_and_nothing_else(open_page: OpenPage) -> None:
    evil = "<img src=x onerror=\"document.title='gone'\">"
    bench = PlaygroundPage(open_page(PLAYGROUND + link_to(name=evil, source=evil, runtime="torch")))
    bench.is_called(evil)
    assert bench.text() == evil
    assert bench.page.locator("main img").count() == 0


def test_a_link_for_a_runtime_that_is_not_there_says_so(stage: tuple[str, StagedRunner], first_visit: Callable[..., Page]) -> None:
    page = first_visit(stage[0], PLAYGROUND + link_to(name="Sent", source="import tensorflow", runtime="tensorflow"))
    expect(PlaygroundPage(page).note()).to_contain_text("This program is for TensorFlow, which is not installed here.")


def test_a_long_link_says_how_long_it_is(bench: PlaygroundPage) -> None:
    noise = "".join(f"{(number * 7919) % 99991:05d}" for number in range(1500))
    bench.write(f"x = '{noise}'")
    bench.tool("Share").click()
    expect(bench.note()).to_contain_text("characters long")
    bench.write("x = 1\n" * 11_000)
    bench.tool("Share").click()
    expect(bench.note()).to_contain_text("This program is too long for a link.")
