"""The warning of a server without a sandbox: in view wherever one has scrolled to, whole, and in nobody's way."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, expect

from app.main import create_app
from app.settings import Settings
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.browser.test_accessibility import violations
from tests.own_course import load_own_course

WORDS = {"en": "No sandbox", "zh-Hans": "没有沙箱"}
# nothing of the banner is cut off, and what follows it begins where it ends
FITS = """() => {
    const [banner, bar] = ['.unconfined', '.top'].map((name) => document.querySelector(name));
    return banner.scrollHeight <= banner.clientHeight && bar.getBoundingClientRect().top >= banner.getBoundingClientRect().bottom;
}"""


@pytest.fixture(scope="module")
def unconfined_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = create_app(Settings(state_folder=tmp_path_factory.mktemp("state")), StagedRunner(), load_own_course(), unconfined=True)
    with serving(app) as address:
        yield address


@pytest.mark.parametrize(
    ("lang", "theme", "width"),
    [("en", "light", 1440), ("zh-Hans", "dark", 1440), ("en", "light", 700), ("en", "dark", 360), ("zh-Hans", "light", 360)],
)
def test_the_warning_is_always_in_view(
    unconfined_site: str, new_context: Callable[..., BrowserContext], lang: str, theme: str, width: int
) -> None:
    page = new_context(width=width, color_scheme=theme).new_page()
    page.goto(f"{unconfined_site}/{lang}/backward-twice/sinh-bad")
    banner = page.get_by_role("complementary").filter(has_text=WORDS[lang])
    page.evaluate("scrollTo(0, 600)")
    expect(banner).to_be_in_viewport(ratio=1)
    assert page.evaluate(FITS)
    assert violations(page) == []
