"""Imports matplotlib as children are to find it: drawing with Agg, and knowing its own fonts alone, the same on every machine.

In the zygote, and before anything else imports matplotlib: its import, some 0.3 s, is paid before the fork.
"""

import os
from tempfile import TemporaryDirectory


def _import_pyplot() -> None:
    """With settings that are gone afterwards: a child has a folder of its own, and may add fonts of its own."""
    with TemporaryDirectory() as folder:
        settings = {"MPLBACKEND": "agg", "MPLCONFIGDIR": folder, "MPL_IGNORE_SYSTEM_FONTS": "1"}
        before = dict(os.environ)
        os.environ.update(settings)
        try:
            from matplotlib import pyplot

            pyplot.switch_backend("agg")
        finally:
            for name in settings:
                os.environ.pop(name)
            os.environ.update(before)


_import_pyplot()
