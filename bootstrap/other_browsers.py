"""Finds or installs Firefox and WebKitGTK for `make browsers`, from Debian's packages."""

import os
import shutil

from bootstrap.libraries import install_packages
from bootstrap.report import step, warn

# The names that a program may have, and the package that has it.
PACKAGES = {
    ("firefox-esr", "firefox"): "firefox-esr",
    ("WebKitWebDriver",): "webkit2gtk-driver",
    ("Xvfb",): "xvfb",  # the screen in memory that WebKitGTK's browser needs
}


def install() -> None:
    """Install the missing browsers, if this is root on Debian. Warn of browsers that are still missing: `make browsers` skips them."""
    if missing() and os.geteuid() == 0 and shutil.which("apt-get"):
        step(f"Installing browsers (apt-get install {' '.join(missing())})")
        for package in missing():  # one by one, because one may be available where another is not
            install_packages(package)
    if packages := missing():
        warn(f"NOT ALL BROWSERS ARE INSTALLED. On Debian: apt-get install {' '.join(packages)}")


def missing() -> list[str]:
    return [package for names, package in PACKAGES.items() if not any(map(shutil.which, names))]
