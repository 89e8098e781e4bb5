"""Reading faulthandler's traceback."""

from app.runner.conversation.dump import DumpedLine, fatal_position, innermost_place, names_a_place

DUMP = b"""Stack (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 7 in wait
  File "<sinh-bad>", line 12 in backward
  File "<source>", line 3 in <module>
  File "/srv/app/child.py", line 9 in run
"""


def test_the_innermost_line_of_the_program_is_found() -> None:
    assert innermost_place(DUMP, {"sinh-bad"}) == DumpedLine(cell="sinh-bad", line=12)


def test_a_name_that_is_no_cell_of_the_program_is_passed_over() -> None:
    assert innermost_place(DUMP, set()) == DumpedLine(cell=None, line=3)


def test_nonsense_names_no_place() -> None:
    assert innermost_place(b'  File "<source>", line 99999999', set()) is None


def test_a_dump_written_in_pieces_is_waited_for() -> None:
    line = b'  File "<source>", line 3 in f'
    assert [names_a_place(part) for part in (b"Stack (most recent call first):\n", line, line + b"\n")] == [False, False, True]


def test_a_fatal_error_begins_a_line() -> None:
    assert fatal_position(b"x Fatal Python error: no") is None
    assert fatal_position(b"out\nFatal Python error: Aborted") == 3
