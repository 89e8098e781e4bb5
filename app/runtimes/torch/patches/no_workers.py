"""A DataLoader's workers are processes, which a lesson may not start. Installed in the zygote, called in the child."""

from typing import Any

from torch.utils.data import DataLoader

from app.runtimes.patches.no_programs import refuse
from app.runtimes.stand_in import Call, stand_in


def install_no_workers() -> None:
    """Let a loader with workers say so at once, instead of failing half made."""
    DataLoader._get_iterator = stand_in(DataLoader._get_iterator, _iterate)  # type: ignore[method-assign]


def _iterate(original: Call, loader: "DataLoader[Any]") -> Any:
    if loader.num_workers:
        raise refuse(f"DataLoader(num_workers={loader.num_workers})", "its workers are processes (num_workers=0 needs none)")
    return original(loader)
