"""`gradroom` with bare zygotes: `python -m tests.bare.gradroom COMMAND…`, started in the project's folder; `serve` starts its processes so too.

Only the tests start it; the product has no such switch.
"""

import os
import sys

import msgspec

from app import cli

BARE_GRADROOM = (sys.executable, "-m", "tests.bare.gradroom")
BARE_ZYGOTE = (sys.executable, "-s", "-m", "tests.bare.zygote")
GRADER_SECONDS = "TESTS_GRADER_SECONDS"  # in the environment: the time of a grader that never asks


def make_bare(command: str) -> None:
    """Replaces what would start something with a framework; each command imports its own half."""
    if command == "runner":
        from app.runner.grading import grading_sequel
        from app.runner.zygotes import zygote_handle

        zygote_handle.COMMAND = BARE_ZYGOTE
        if seconds := os.environ.get(GRADER_SECONDS):
            grading_sequel._GRADER_CAPS = msgspec.structs.replace(grading_sequel._GRADER_CAPS, seconds=float(seconds))
    else:
        from app.serving import serve

        serve.GRADROOM = BARE_GRADROOM


if __name__ == "__main__":
    make_bare(sys.argv[1])
    cli.main()
