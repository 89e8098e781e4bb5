"""Which Chromium there is."""

import os
import shutil

SHELL = "chromium-headless-shell"  # what Playwright itself starts where a page need not be seen: the same engine, in half the time
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """The path of the one that CHROMIUM names, or of the system's; Playwright's own is not looked for."""
    return os.environ.get("CHROMIUM") or find_windowed()


def find_windowed() -> str | None:
    """The system's, with all that a browser has and its shell has not."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def find_headless() -> str | None:
    """The same for tests, for which the shell without windows is preferred."""
    return os.environ.get("CHROMIUM") or shutil.which(SHELL) or find_chromium()
