"""Imports TensorFlow in the zygote, with a temporary home for Keras. Import this before anything else that imports TensorFlow.

Keras, which is part of TensorFlow, writes its settings into the home directory when it is imported.
"""

import os
from tempfile import TemporaryDirectory

from app.runtimes.instruments.figures import agg  # noqa: F401  # before Keras imports matplotlib

with TemporaryDirectory() as _folder:
    os.environ["KERAS_HOME"] = _folder
    try:
        import tensorflow  # noqa: F401
    finally:
        del os.environ["KERAS_HOME"]
