"""Imports matplotlib for all children. It uses the backend Agg and only the fonts of matplotlib, so that figures look the same everywhere.

Imported in the zygote, before anything else imports matplotlib. The import takes some 0.3 s.
"""

import os
from tempfile import TemporaryDirectory


def _import_pyplot() -> None:
    """Import pyplot with environment variables that only the import sees: a child has a settings folder of its own and may add fonts."""
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
