"""Imports matplotlib for all children. It uses the backend Agg and only the fonts of matplotlib, so that figures look the same everywhere.

Imported in the zygote, before anything else imports matplotlib. The import takes some 0.3 s.
"""

import os
from tempfile import TemporaryDirectory

_before = dict(os.environ)
# Only the import sees these variables: a child has a settings folder of its own and may add fonts.
with TemporaryDirectory() as _folder:
    _settings = {"MPLBACKEND": "agg", "MPLCONFIGDIR": _folder, "MPL_IGNORE_SYSTEM_FONTS": "1"}
    os.environ.update(_settings)
    try:
        from matplotlib import pyplot

        pyplot.switch_backend("agg")
    finally:
        for _name in _settings:
            os.environ.pop(_name)
        os.environ.update(_before)
