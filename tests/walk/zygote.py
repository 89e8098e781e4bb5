"""The real zygote, whose children mark what they enter: `python -s -m tests.walk.zygote FILE N`, as app.sandbox.zygote.zygote with N.

A child begins to mark with its first request that concerns a learner: all that it does earlier, it does before anybody has asked.
"""

import sys
from functools import partial
from pathlib import Path
from typing import Any

from app.runtimes.runtime import Runtime, load_runtime
from app.runtimes.specs import RuntimeSpec
from app.sandbox.zygote import zygote
from tests.walk.marks import Marks

REQUESTS = ("execute", "answer", "examine")  # methods of app.runtimes.runtime.Runtime


def load_marked(marks: Marks, spec: RuntimeSpec) -> Runtime:
    runtime = load_runtime(spec)

    def answer(request: str, *args: Any) -> Any:
        marks.mark_callers()
        marks.begin()
        return getattr(type(runtime), request)(runtime, *args)

    for request in REQUESTS:
        setattr(runtime, request, partial(answer, request))
    return runtime


if __name__ == "__main__":
    zygote.main(partial(load_marked, Marks(Path(sys.argv.pop(1)))))
