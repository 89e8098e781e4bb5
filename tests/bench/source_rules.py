"""Measures how long the rules on a program's source take: `python -m tests.bench.source_rules` prints milliseconds of processor time."""

import statistics
import time
from pathlib import Path

from app.pitfalls.syntax.source_rules import find_in_source

_ROUNDS = 30
_LINES = 200
_FUNCTIONS = Path(__file__).parents[1] / "doctor" / "functions"


def main() -> None:
    """Time programs of 200 lines, made from the long Functions of the doctor's corpus, and the hostile text of 60 kB."""
    texts = [path.read_text() for path in sorted(_FUNCTIONS.glob("*/right.py"))]
    for first in range(0, len(texts), 5):
        lines = "".join(texts[first:] + texts).splitlines(keepends=True)[:_LINES]
        program = "".join(lines)
        while not _is_whole(program):
            program = program.rpartition("\n")[0]
        milliseconds = [_time(program) for _ in range(_ROUNDS)]
        print(f"{len(program.splitlines())} lines: median {statistics.median(milliseconds):.1f} ms, most {max(milliseconds):.1f} ms")
    print(f"an f-string of 60 kB: {_time('f' + repr('{x}' * 20_000)):.0f} ms")


def _is_whole(program: str) -> bool:
    try:
        compile(program, "", "exec")
    except SyntaxError:
        return False
    return True


def _time(program: str) -> float:
    start = time.process_time()
    find_in_source(program)
    return 1000 * (time.process_time() - start)


if __name__ == "__main__":
    main()
