"""The bare warm process, without isolation and instruments. It reads a line with a source and answers with a line of output.

Started as `python -m tests.bench.warm_worker`. It runs the snippet and a layout several times before it answers.
"""

import contextlib
import io
import json
import sys

from tests.bench.snippet import DRAW_IN_PROCESS, SNIPPET

WARM_UPS = 5


def execute(source: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(source, "<source>", "exec"), {"__name__": "__main__"})
    return output.getvalue()


def main() -> None:
    for _ in range(WARM_UPS):
        execute(SNIPPET + DRAW_IN_PROCESS)
    print(json.dumps("warm"), flush=True)
    for line in sys.stdin:
        print(json.dumps(execute(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
