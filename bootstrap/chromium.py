"""Finds or installs a Chromium for the browser tests: the machine's, else Debian's package, else Playwright's download."""

import os
import shutil
import subprocess

from bootstrap.libraries import install_packages
from bootstrap.places import ROOT, VENV_PYTHON
from bootstrap.report import SetupError, step, warn

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("chromium", "fonts-noto-cjk")
SHELL = "chromium-headless-shell"  # the same engine without windows, which is twice as fast; not every Debian has it


def install() -> None:
    """Install a Chromium unless there is one. If that fails, raise SetupError under CI; elsewhere warn that browser tests are skipped."""
    if found() or by_apt() or by_playwright():
        return
    if os.environ.get("CI"):
        raise SetupError("CI needs Chromium, and it could not be installed: apt-get install chromium")
    warn("NO CHROMIUM: THE BROWSER TESTS WILL BE SKIPPED. Install it (apt-get install chromium) and run this again.")


def found() -> bool:
    """Return whether there is a Chromium in the places where the browser tests look for one."""
    return bool(os.environ.get("CHROMIUM") or any(map(shutil.which, NAMES)) or playwright_has_one())


def by_apt() -> bool:
    """Install Debian's package and return whether that succeeded. Only root tries, because set-up never asks for a password."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    step("Installing Chromium for the browser tests (apt-get install chromium chromium-headless-shell)")
    return install_packages(SHELL, *PACKAGES) or install_packages(*PACKAGES)


def by_playwright() -> bool:
    step("Installing Chromium for the browser tests (playwright install chromium)")
    return subprocess.run([VENV_PYTHON, "-m", "playwright", "install", "chromium"], cwd=ROOT, check=False).returncode == 0


def playwright_has_one() -> bool:
    program = "from playwright.sync_api import sync_playwright as start\nwith start() as p: print(p.chromium.executable_path)"
    answer = subprocess.run([VENV_PYTHON, "-c", program], capture_output=True, text=True, check=False)
    return answer.returncode == 0 and os.path.exists(answer.stdout.strip())
