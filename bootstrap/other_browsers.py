"""Firefox and WebKitGTK for `make browsers`: the machine's, else Debian's packages, else none."""

import os
import shutil

from bootstrap.libraries import install_packages
from bootstrap.report import step, warn

# A program, under each of its names, and the package that has it.
PACKAGES = {
    ("firefox-esr", "firefox"): "firefox-esr",
    ("WebKitWebDriver",): "webkit2gtk-driver",
    ("Xvfb",): "xvfb",  # the screen in memory that WebKitGTK's browser needs
}


def install() -> None:
    """Make sure that they are there; what is not is named, and `make browsers` says that it was not tried."""
    if missing() and os.geteuid() == 0 and shutil.which("apt-get"):
        step(f"Installing browsers (apt-get install {' '.join(missing())})")
        for package in missing():  # one by one: the first may be there where the second is not
            install_packages(package)
    if packages := missing():
        warn(f"NOT ALL BROWSERS ARE INSTALLED. On Debian: apt-get install {' '.join(packages)}")


def missing() -> list[str]:
    return [package for names, package in PACKAGES.items() if not any(map(shutil.which, names))]
