"""Prints what is found in `faulty_functions`: `python -m tests.probes.causes.own_table`."""

import inspect
import linecache

from torch.autograd import Function

from app.probes.calls.prepared_call import ApplyCall
from tests.doctor.causes_table import Row, first_fault
from tests.probes.causes.faulty_functions import CASES

MARK = "# fault: "


def row_of_class(function: type[Function]) -> Row:
    lines, first = inspect.getsourcelines(function)
    offset, text = next((number, line) for number, line in enumerate(lines) if MARK in line)
    found = first_fault(ApplyCall(function, CASES[function]), lambda name: "".join(linecache.getlines(name)))
    fault, line = text.split(MARK)[1].strip(), first + offset
    return Row(function.__name__, fault, line, *(found or (None, 0.0)), found is not None)


def main() -> None:
    rows = []
    for function in CASES:
        rows.append(row_of_class(function))
        print(rows[-1], flush=True)
    print(f"{len(rows)}: line {sum(row.has_line for row in rows)}, code {sum(row.has_code for row in rows)}")


if __name__ == "__main__":
    main()
