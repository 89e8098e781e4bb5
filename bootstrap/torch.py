"""Installs PyTorch: if possible its CPU build, which is a tenth of the size of PyPI's build for Linux."""

import sys
import urllib.request
from pathlib import Path

from bootstrap import pip
from bootstrap.places import ROOT
from bootstrap.report import note, step

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
PROBE_SECONDS = 3


def install(version: str) -> None:
    """Install PyTorch without its dependencies, so that the additional index is used for nothing else."""
    step(f"Installing PyTorch {version}, the CPU build if there is one (190 MB)")
    pip.install("--no-deps", *source_options(version), f"torch=={version}")


def source_options(version: str) -> list[str]:
    """Return pip's options that name a further place for the CPU build. pip also asks the configured registries."""
    if index_answers():
        return ["--extra-index-url", CPU_INDEX]
    if folder := wheel_folder(version):
        note(f"taking the wheel in {folder}")
        return ["--find-links", str(folder)]
    note("taking what the configured registries offer for this version. If that is the CUDA build, it is several GB.")
    return []


def index_answers() -> bool:
    """Return whether PyTorch's index answers. It is asked once and briefly: pip would retry an unreachable index for nine seconds."""
    try:
        urllib.request.urlopen(f"{CPU_INDEX}/torch/", timeout=PROBE_SECONDS).close()
    except OSError as problem:
        note(f"PyTorch's CPU index cannot be reached ({getattr(problem, 'reason', problem)}):")
        return False
    return True


def wheel_folder(version: str) -> Path | None:
    """Return a folder with a wheel of the CPU build: `wheels/` in the project, or a mount that the build of an image provides."""
    pattern = f"torch-{version}+cpu-cp{sys.version_info.major}{sys.version_info.minor}-*.whl"
    return next((folder for folder in [ROOT / "wheels", *mounted_folders()] if any(folder.glob(pattern))), None)


def mounted_folders() -> list[Path]:
    """Return the folders that are mount points, except / and those in /proc.

    Each is the second field of a line of /proc/mounts, where \\040 stands for a space (proc(5)).
    """
    lines = Path("/proc/self/mounts").read_text().splitlines()
    points = [Path(line.split()[1].replace("\\040", " ")) for line in lines]
    return [point for point in points if point != Path("/") and not point.is_relative_to("/proc") and point.is_dir()]
