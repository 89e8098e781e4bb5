"""Collects the editor's reference: the names of each module, and the sites with their documentation.

static/js/lib/python/reference.js describes the format.
"""

import importlib.util
import json
import platform
from typing import Any

from bootstrap.reference import python_names
from bootstrap.reference.entry import Entry

Names = dict[str, dict[str, Entry]]


def collect() -> dict[str, Any]:
    """Return the reference of Python, and of PyTorch and torchviz if this interpreter has torch."""
    modules: Names = python_names.collect()
    versions = {"python": platform.python_version()}
    sites = dict(python_names.SITES)
    if importlib.util.find_spec("torch"):
        from bootstrap.reference import torch_names

        modules |= torch_names.collect()
        versions |= torch_names.versions()
        sites |= torch_names.SITES
    encoded = {path: {name: entry.encode() for name, entry in sorted(names.items())} for path, names in sorted(modules.items())}
    return {"versions": versions, "sites": sites, "modules": encoded}


def encode(reference: dict[str, Any]) -> str:
    """Return the reference as compact JSON. The same libraries give the same bytes."""
    return json.dumps(reference, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
