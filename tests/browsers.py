"""Finds the installed Chromium."""

import os
import shutil

SHELL = "chromium-headless-shell"  # Playwright itself starts this where a page need not be seen: the same engine, in half the time
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """Return the path of the browser that CHROMIUM names, or of the system's; Playwright's own is not searched for."""
    return os.environ.get("CHROMIUM") or find_windowed()


def find_windowed() -> str | None:
    """Return the path of the system's browser with windows; the shell does not count."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def find_headless() -> str | None:
    """Return the path of a browser for tests, preferably of the shell without windows."""
    return os.environ.get("CHROMIUM") or shutil.which(SHELL) or find_chromium()
