"""Prints what the probes observe in the corpora: `python -m tests.doctor.probe_table`. What a program itself says is in quotation marks."""

import statistics
import sys
from pathlib import Path

from app.probes.examine import HINTS
from tests.doctor.in_process import examine_file

HERE = Path(__file__).parent
SECONDS: list[float] = []


def codes_of(path: Path) -> list[str]:
    """Return the codes observed of all calls in a program, without repetition."""
    codes: dict[str, None] = {}
    for _, examination, seconds in examine_file(path):
        SECONDS.append(seconds)
        codes.update(dict.fromkeys(each.code for each in examination.observations))
    return list(codes)


def header(path: Path, name: str) -> str:
    lines = [line for line in path.read_text().splitlines()[:5] if line.startswith(f"# {name}: ")]
    return lines[0].split(": ", 1)[1] if lines else ""


def show(paths: list[Path], *names: str) -> None:
    for path in paths:
        codes = codes_of(path)
        said = " ".join(f'"{header(path, name)}"' for name in names)
        mark = "-" if not codes else "hint" if set(codes) <= HINTS else "!"
        print(f"{mark:5}{'/'.join(path.parts[-2:]):45}{said:40}{' '.join(codes)}")


def main() -> None:
    which = sys.argv[1:] or ["faults", "right", "correct", "programs"]
    if "faults" in which:
        show(sorted(HERE.glob("functions/*/fault_*.py")), "fault", "order")
    if "right" in which:
        show(sorted(HERE.glob("functions/*/right.py")), "intended")
    if "correct" in which:
        show(sorted(HERE.glob("correct/*.py")), "intended")
    if "programs" in which:
        show(sorted(HERE.glob("programs/*/*.py")), "silent")
    ordered = sorted(SECONDS)
    high = ordered[int(len(ordered) * 0.95)]
    print(f"{len(ordered)} calls, seconds: median {statistics.median(ordered):.3f}, p95 {high:.3f}, worst {ordered[-1]:.3f}")


if __name__ == "__main__":
    main()
