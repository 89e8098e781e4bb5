"""Imports TensorFlow as children are to find it. Nothing else may import it first. Runs in the zygote.

Keras, which comes with it, writes its settings into the home directory as soon as it is imported.
"""

import os
from tempfile import TemporaryDirectory

from app.runtimes.instruments.figures import agg  # noqa: F401  # before Keras imports matplotlib


def _import_tensorflow() -> None:
    with TemporaryDirectory() as folder:
        os.environ["KERAS_HOME"] = folder
        try:
            import tensorflow  # noqa: F401
        finally:
            del os.environ["KERAS_HOME"]


_import_tensorflow()
