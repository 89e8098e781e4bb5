"""The Chromium that measures pages."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from tests.browsers import find_chromium


@asynccontextmanager
async def using_chromium() -> AsyncIterator[Browser | None]:
    """Yield a headless Chromium; None if there is none."""
    async with async_playwright() as playwright:
        path = find_chromium() or playwright.chromium.executable_path
        if not Path(path).exists():
            yield None
            return
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            await browser.close()
