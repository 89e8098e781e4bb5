"""The command `gradroom` with bare zygotes: `python -m tests.bare.gradroom COMMAND…`, started in the project's folder.

`serve` starts its processes in the same way, with a course of one lesson. Only tests use it; the product has no such switch.
"""

import os
import sys
from pathlib import Path

import msgspec

from app import cli
from app.serving import command_line

BARE_GRADROOM = (sys.executable, "-m", "tests.bare.gradroom")
BARE_ZYGOTE = (sys.executable, "-s", "-m", "tests.bare.zygote")
SMALL_COURSE = Path(__file__).resolve().parents[1] / "grading" / "memory_course"
GRADER_SECONDS = "TESTS_GRADER_SECONDS"  # environment variable: how many seconds a grader takes that asks nothing


def make_bare(command: str) -> None:
    """Replace what would start a framework. Each command imports only its own part."""
    if command == "runner":
        from app.runner.grading import grading
        from app.runner.zygotes import zygote_handle

        zygote_handle.COMMAND = BARE_ZYGOTE
        if seconds := os.environ.get(GRADER_SECONDS):
            grading._GRADER_CAPS = msgspec.structs.replace(grading._GRADER_CAPS, seconds=float(seconds))
    elif command == "serve":
        command_line.GRADROOM = BARE_GRADROOM
        os.environ.setdefault("GRADROOM_LESSONS_FOLDER", str(SMALL_COURSE))


if __name__ == "__main__":
    make_bare(sys.argv[1])
    cli.main()
