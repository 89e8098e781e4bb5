"""Joins rows so that they share one child: each is a single system call that is refused, so it changes nothing for the others.

The child gets one program, which executes the rows one after the other, each in its own namespace, and prints how each ended. A row is
judged by its own part of the output. A row that was not reached before the child ended is not contained.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from app.protocol.outcome import Outcome
from app.protocol.run import RunResult
from tests.sandbox.hostile.row import Row

GROUPS = {"kernel"}
_BEGIN, _END = "==== begin ", "==== "
_PART = re.compile(rf"^{_BEGIN}(\S+)$\n(.*?)^{_END}(\w+)$", re.DOTALL | re.MULTILINE)
_PROGRAM = """import sys, traceback
for name, source in {sources}.items():
    print({begin} + name)
    ending = "raised"
    try:
        exec(compile(source, name, "exec"), {{"__name__": "__main__"}})
        ending = "finished"
    except BaseException:
        traceback.print_exc(file=sys.stdout)
    print({end} + ending, flush=True)
"""


def join_rows(rows: Sequence[Row]) -> Row:
    """Return a row whose program executes all these rows, which are of one group and have the same deadline."""
    source = _PROGRAM.format(sources=repr({row.name: row.source for row in rows}), begin=repr(_BEGIN), end=repr(_END))
    return replace(rows[0], name=rows[0].group, source=source)


def part_result(result: RunResult) -> dict[str, RunResult]:
    """Return the result of each row that ended, by name. If the child did not end by itself, no row has finished."""
    survived = result.outcome == Outcome.FINISHED
    return {
        name: msgspec.structs.replace(result, stdout=output, outcome=Outcome(ending) if survived else result.outcome)
        for name, output, ending in _PART.findall(result.stdout)
    }
