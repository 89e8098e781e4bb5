"""The warning of a server without a sandbox: in view wherever one has scrolled to, whole, and in nobody's way."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from app.main import create_app
from app.settings import Settings
from tests.browser.conftest import resize
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.browser.test_accessibility import Looks, violations_in_each
from tests.own_course import load_own_course

WORDS = {"en": "No sandbox", "zh-Hans": "没有沙箱"}
# nothing of the banner is cut off, and what follows it begins where it ends
FITS = """() => {
    const [banner, bar] = ['.unconfined-warning', '.top'].map((name) => document.querySelector(name));
    return banner.scrollHeight <= banner.clientHeight && bar.getBoundingClientRect().top >= banner.getBoundingClientRect().bottom;
}"""


@pytest.fixture(scope="module")
def unconfined_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = create_app(Settings(state_folder=tmp_path_factory.mktemp("state")), StagedRunner(), load_own_course(), unconfined=True)
    with serving(app) as address:
        yield address


@pytest.mark.parametrize(
    ("lang", "looks"), [("en", [("light", 1440), ("light", 700), ("dark", 360)]), ("zh-Hans", [("light", 360), ("dark", 1440)])]
)
def test_the_warning_is_always_in_view(unconfined_site: str, first_visit: Callable[..., Page], lang: str, looks: Looks) -> None:
    page = first_visit(unconfined_site, f"/{lang}/backward-twice/sinh-bad", width=looks[0][1])
    banner = page.get_by_role("complementary").filter(has_text=WORDS[lang])
    for _, width in looks:
        resize(page, width)
        page.evaluate("scrollTo(0, 600)")
        expect(banner).to_be_in_viewport(ratio=1)
        assert page.evaluate(FITS), width
    assert violations_in_each(page, looks, within=".unconfined-warning") == {}
