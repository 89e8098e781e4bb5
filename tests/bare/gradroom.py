"""`gradroom` with bare zygotes: `python -m tests.bare.gradroom COMMAND…`, started in the project's folder.

`serve` starts its processes so too, with a course of one lesson. Only the tests start it; the product has no such switch.
"""

import os
import sys
from pathlib import Path

import msgspec

from app import cli

BARE_GRADROOM = (sys.executable, "-m", "tests.bare.gradroom")
BARE_ZYGOTE = (sys.executable, "-s", "-m", "tests.bare.zygote")
SMALL_COURSE = Path(__file__).resolve().parents[1] / "grading" / "memory_course"
GRADER_SECONDS = "TESTS_GRADER_SECONDS"  # in the environment: the time of a grader that never asks


def make_bare(command: str) -> None:
    """Replaces what would start something with a framework; each command imports its own half."""
    if command == "runner":
        from app.runner.grading import grading
        from app.runner.zygotes import zygote_handle

        zygote_handle.COMMAND = BARE_ZYGOTE
        if seconds := os.environ.get(GRADER_SECONDS):
            grading._GRADER_CAPS = msgspec.structs.replace(grading._GRADER_CAPS, seconds=float(seconds))
    elif command == "serve":
        from app.serving import serve

        serve.GRADROOM = BARE_GRADROOM
        os.environ.setdefault("GRADROOM_LESSONS_FOLDER", str(SMALL_COURSE))


if __name__ == "__main__":
    make_bare(sys.argv[1])
    cli.main()
