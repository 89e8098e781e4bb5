"""Shortens the paths of libraries' files in texts: `torch/autograd/gradcheck.py`, without this server's folder.

Installed in the zygote, called in the child.
"""

import re
import sysconfig
import warnings
from pathlib import Path
from typing import Any

from app.runtimes.stand_in import Call, stand_in

_PROJECT = Path(__file__).resolve().parents[3]
_FOLDERS = {str(_PROJECT), *(sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib", "platstdlib"))}
_PREFIX = re.compile("|".join(re.escape(f"{folder}/") for folder in sorted(_FOLDERS - {"/"}, key=len, reverse=True)))


def without_server_paths(text: str) -> str:
    """Return the text with this server's folders removed from the paths of libraries' files."""
    return _PREFIX.sub("", text)


def install_server_paths() -> None:
    """Shorten paths in printed warnings; the warnings themselves are not changed."""
    warnings._formatwarnmsg_impl = stand_in(warnings._formatwarnmsg_impl, _format)  # type: ignore[attr-defined]


def _format(original: Call, message: Any) -> str:
    return without_server_paths(original(message))
