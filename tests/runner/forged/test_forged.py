"""Whatever a child sends, the result contradicts neither itself nor the program nor arithmetic. Honest messages pass unchanged."""

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.protocol.limits import Limits
from app.protocol.run import Program, Source
from tests.one_test import in_one_test
from tests.runner.forged.liar import BARE, PROGRAM, over, shown, told_of
from tests.runner.forged.table import (
    A_LINE,
    DIAGNOSIS,
    ERROR,
    FORGED,
    FRAME,
    GRADCHECK,
    GRAPH,
    KINDS,
    LARGE,
    NODE,
    NOWHERE,
    PAIR,
    SAVED,
    VALUE,
    WRONG,
    block,
    blocks,
)
from tests.runner.forged.truth import check_result

UNHURRIED = settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])


def test_the_table_is_long() -> None:
    assert len(FORGED) >= 200


@in_one_test("name", FORGED)
def test_nothing_forged_is_shown_as_true(name: str) -> None:
    check_result(told_of(FORGED[name]), PROGRAM)


@pytest.mark.parametrize("record", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize(
    "span",
    [None, {"cell": "b", "line": 4}, {"cell": "a", "line": 1}, {"cell": "b", "line": 1, "column": 0, "end_line": 4, "end_column": 1}],
)
def test_a_record_at_a_place_that_exists_is_shown(record: dict[str, Any], span: dict[str, Any] | None) -> None:
    result = told_of(shown(record | {"span": span}) + over())
    assert (result["outcome"], [told["kind"] for told in result["records"]]) == ("finished", [record["kind"]])
    check_result(result, PROGRAM)


def test_a_bare_source_has_lines_without_a_cell() -> None:
    for line, outcome in ((2, "finished"), (3, "crashed")):
        assert told_of(shown(VALUE | {"span": {"line": line}}) + over(), BARE)["outcome"] == outcome


@pytest.mark.parametrize(
    ("fields", "pairs", "passed", "failing"),
    [
        ({}, [PAIR], True, [0]),
        ({}, [PAIR, WRONG], False, [0, 2]),
        ({}, [WRONG | {"failing": 2}], False, [2]),
        ({}, [], None, []),
        ({"passed": False, "message": "not deterministic"}, [PAIR], False, [0]),
        ({"passed": False, "message": "m"}, [LARGE | {"blocks": blocks(analytical=3.0), "failing": 6400}], False, [16]),
        ({}, [LARGE | {"blocks": blocks(analytical=3.0)}], False, [1]),
        ({}, [LARGE | {"blocks": blocks(analytical=3.0, worst=block()), "failing": 9}], False, [1]),
        ({}, [LARGE | {"blocks": blocks()}], True, [0]),
        ({"mode": "fast"}, [LARGE | {"numerical": [[1.0]], "analytical": [[1.0005]]}], True, [0]),
        (
            {"passed": False, "message": "m"},
            [PAIR | {"numerical": [[1e-9] * 2] * 2, "analytical": [[0.0] * 2] * 2, "failing": 4}],
            False,
            [4],
        ),
    ],
)
def test_a_verdict_is_derived_from_the_jacobians(fields: dict[str, Any], pairs: list[Any], passed: bool | None, failing: list[int]) -> None:
    (check,) = told_of(shown(GRADCHECK | fields | {"pairs": pairs}) + over())["records"]
    assert (check["passed"], [pair["failing"] for pair in check["pairs"]]) == (passed, failing)


@pytest.mark.parametrize(
    ("pair", "finding", "factor"),
    [
        (PAIR | {"finding": "zero"}, "agree", None),
        (PAIR, "agree", None),
        (WRONG, "differ", None),
        (WRONG | {"finding": "zero"}, "differ", None),
        (WRONG | {"finding": "factor", "factor": 0.5}, "factor", 0.5),
        (WRONG | {"finding": "factor", "factor": 0.6}, "differ", None),
        (WRONG | {"finding": "zero", "analytical": [[0.0, 0.0], [0.0, 0.0]]}, "zero", None),
        (WRONG | {"finding": "not-zero", "numerical": [[0.0, 0.0], [0.0, 0.0]]}, "not-zero", None),
        (WRONG | {"finding": "not-a-number", "analytical": [["nan", 0.0], [0.0, 2.0]]}, "not-a-number", None),
        (WRONG | {"finding": "transposed", "numerical": [[1, 2], [3, 4]], "analytical": [[1, 3], [2, 4]]}, "transposed", None),
        (
            LARGE | {"finding": "transposed", "blocks": blocks(column=1, analytical=3.0)},
            "transposed",
            None,
        ),  # what was sent does not deny it
        (LARGE | {"finding": "transposed", "blocks": blocks(analytical=3.0)}, "differ", None),  # the diagonal is that of the transpose
        (LARGE | {"finding": "zero", "blocks": blocks(analytical=3.0)}, "differ", None),
    ],
)
def test_a_finding_that_the_entries_contradict_is_not_shown(pair: dict[str, Any], finding: str, factor: float | None) -> None:
    (check,) = told_of(shown(GRADCHECK | {"pairs": [pair]}) + over())["records"]
    assert [(one["finding"], one["factor"]) for one in check["pairs"]] == [(finding, factor)]


def test_the_errors_of_a_pair_are_computed_anew() -> None:
    (check,) = told_of(shown(GRADCHECK | {"pairs": [WRONG | {"max_abs_error": 0.0}]}) + over())["records"]
    assert (check["pairs"][0]["max_abs_error"], check["pairs"][0]["max_rel_error"]) == (1.0, 0.5)


def test_an_exception_of_pythons_own_ends_a_program_as_it_can() -> None:
    ends = {
        ("out_of_memory", "ValueError"): "raised",
        ("out_of_memory", "MemoryError"): "out_of_memory",
        ("out_of_memory", "Mine"): "out_of_memory",
        ("forbidden", "PermissionError"): "forbidden",
        ("forbidden", "KeyError"): "raised",
    }
    for (ending, kind), outcome in ends.items():
        assert told_of(over(ending, error=ERROR | {"type": kind}))["outcome"] == outcome


def test_the_text_of_a_line_is_the_programs() -> None:
    error = told_of(over("raised", error=ERROR | {"traceback": [FRAME | {"source": "nothing to see"}]}))["error"]
    assert error["traceback"][0]["source"] == "raise ValueError(x)"


def test_the_dot_is_made_of_nodes_and_edges() -> None:
    nodes = [NODE, NODE | {"id": "n1", "kind": "accumulate_grad", "label": "AccumulateGrad"}]
    nodes += [NODE | {"id": "n2", "kind": "saved", "label": 'a "b"\n(3)'}, NODE | {"id": "n3", "kind": "function", "label": "Mul 0"}]
    edges = [{"source": "n0", "target": "n1"}, {"source": "n2", "target": "n3", "kind": "saved"}]
    (graph,) = told_of(shown(GRAPH | {"nodes": nodes, "edges": edges, "dot": 'digraph { a [URL="javascript:x"] }'}) + over())["records"]
    assert graph["dot"].splitlines()[3:] == [
        "\tn0 [label=x fillcolor=lightblue]",
        "\tn1 [label=AccumulateGrad]",
        '\tn2 [label="a \\"b\\"\\n(3)" fillcolor=orange]',
        '\tn3 [label="Mul 0"]',
        "\tn0 -> n1",
        "\tn2 -> n3 [dir=none]",
        "}",
    ]


def test_entries_are_counted_over_all_records() -> None:
    pairs = [LARGE | {"shape": [64, 64], "numerical": [[0] * 64] * 64, "analytical": [[0] * 64] * 64}] * 8
    many = [shown(GRADCHECK | {"id": f"gradcheck-{number}", "pairs": pairs}) for number in range(20)]
    assert told_of(many[0] + over())["outcome"] == "finished"
    result = told_of(b"".join(many) + over())
    assert result["outcome"] == "output_limit"
    assert 1 < len(result["records"]) < 20
    assert told_of(b"".join(many) + over(), limits=Limits(deadline_seconds=5, records_bytes=64 * 2**20))["outcome"] == "finished"


# what hypothesis builds: records whose fields are each likely enough, and rarely fit together

REAL = st.sampled_from([0.0, 1.0, -1.0, 1e-9, 2.0, 1e308, "nan", "inf", "-inf"]) | st.floats(allow_nan=False, allow_infinity=False)
ENTRY = REAL | st.tuples(REAL, REAL)
TEXT = st.sampled_from(["", "m", "a\u202eb", "\x1b[2J", '"];URL="javascript:x', "\\u202e", "\r\n"]) | st.text(max_size=20)
IDS = st.sampled_from(["n0", "n1", "g-1", "g-2", "a b", ""])
CELLS = st.sampled_from([None, "a", "b", "other", ""])
PLACE = {"cell": CELLS, "line": st.none() | st.integers(0, 6)}
SPANS = st.none() | st.fixed_dictionaries(
    {"cell": CELLS, "line": st.integers(0, 6)}, optional={"column": st.integers(0, 30), "end_line": st.integers(0, 6)}
)
COMMON = {"id": IDS, "span": SPANS, "refs": st.lists(IDS, max_size=2)}
SIDE = st.integers(0, 3)
PAIRS = SIDE.flatmap(
    lambda rows: SIDE.flatmap(
        lambda columns: st.fixed_dictionaries(
            {
                "output": st.integers(-1, 3),
                "input": st.integers(0, 3),
                "shape": st.just([rows, columns]) | st.lists(SIDE, min_size=2, max_size=2),
            },
            optional={
                "numerical": matrices(rows, columns),
                "analytical": matrices(rows, columns),
                "failing": st.integers(0, 9),
                "max_abs_error": REAL,
                "max_rel_error": REAL,
                "input_name": TEXT,
                "input_shape": st.lists(SIDE, max_size=3),
                "output_shape": st.just([columns]),
                "finding": st.sampled_from(["agree", "zero", "not-zero", "not-a-number", "factor", "transposed", "differ"]),
                "factor": st.sampled_from([0.0, -1.0, 2.0, 1e308]),
            },
        )
    )
)
CHECKS = st.fixed_dictionaries(
    {
        "kind": st.just("gradcheck"),
        "order": st.sampled_from([1, 2]),
        "mode": st.sampled_from(["reverse", "fast"]),
        "passed": st.sampled_from([True, True, False, None]),
        "eps": REAL,
        "atol": REAL,
        "rtol": REAL,
        "pairs": st.lists(PAIRS, max_size=3),
    },
    optional={"message": TEXT, **COMMON},
)
VALUES = st.fixed_dictionaries(
    {"kind": st.just("value"), "text": TEXT},
    optional={
        "values": st.recursive(ENTRY, lambda inner: st.lists(inner, max_size=3), max_leaves=9),
        "shape": st.lists(SIDE, max_size=3),
        "title": TEXT,
        **COMMON,
    },
)
NODES = st.fixed_dictionaries(
    {"id": IDS | TEXT, "kind": st.sampled_from(["leaf", "saved", "function"]), "label": TEXT}, optional={"line": st.integers(1, 6)}
)
GRAPHS = st.fixed_dictionaries(
    {"kind": st.just("graph"), "nodes": st.lists(NODES, max_size=4)},
    optional={
        "edges": st.lists(st.fixed_dictionaries({"source": IDS | TEXT, "target": IDS | TEXT}), max_size=4),
        "dot": TEXT,
        "svg": TEXT,
        **COMMON,
    },
)
UNKNOWN = st.dictionaries(TEXT, TEXT, max_size=3).map(lambda fields: {**fields, "kind": "hologram"})
FRAMES = st.fixed_dictionaries({**PLACE, "column": st.none() | st.integers(0, 30), "function": TEXT, "source": TEXT})
TYPES = st.sampled_from(["ValueError", "MemoryError", "Mine"]) | TEXT
ERRORS = st.fixed_dictionaries({"type": TYPES, "message": TEXT, **PLACE, "traceback": st.lists(FRAMES, max_size=3)})
ENDS = st.builds(over, st.sampled_from(["finished", "raised", "out_of_memory", "forbidden"]), error=st.none() | ERRORS)


def matrices(rows: int, columns: int) -> st.SearchStrategy[object]:
    return st.lists(st.lists(ENTRY, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@UNHURRIED
@given(st.lists((CHECKS | VALUES | GRAPHS | UNKNOWN).map(shown), max_size=2).map(b"".join), ENDS)
def test_nothing_built_is_shown_as_true(records: bytes, end: bytes) -> None:
    check_result(told_of(records + end), PROGRAM)


@UNHURRIED
@given(CHECKS)
def test_no_check_built_is_shown_as_true(check: dict[str, Any]) -> None:
    check_result(told_of(shown(check) + over()), PROGRAM)


def test_what_a_label_says_is_a_text_in_the_dot() -> None:
    (graph,) = told_of(FORGED["graph: an escape in its label"])["records"]
    assert re.search(r'label="\\\\\\" \] a \[ URL=\\"javascript', graph["dot"])


@pytest.mark.parametrize(
    ("records", "outcome"),
    [
        ([VALUE, VALUE], "crashed"),  # an id is given once
        ([GRAPH, VALUE | {"id": "n0"}], "crashed"),
        ([VALUE | {"id": "n0"}, GRAPH], "crashed"),
        ([GRAPH, GRAPH | {"id": "graph-2"}], "finished"),  # two graphs show one node
        ([GRAPH | {"refs": ["n0"]}], "finished"),
        ([GRAPH, VALUE | {"refs": ["graph-1", "n0"]}], "finished"),
        ([VALUE | {"refs": ["n0"]}, GRAPH], "crashed"),  # of what was not sent yet
        ([VALUE | {"tensor": "t1"}, DIAGNOSIS | {"evidence": ["t1", "value-1"]}], "finished"),
        ([DIAGNOSIS | {"evidence": ["t1"]}], "crashed"),
        ([SAVED | {"node": "n7"}, DIAGNOSIS | {"evidence": ["c1", "n7", "saved-1"]}], "finished"),
    ],
)
def test_an_id_is_unique_and_a_reference_names_what_was_sent(records: list[dict[str, Any]], outcome: str) -> None:
    assert told_of(b"".join(map(shown, records)) + over())["outcome"] == outcome


def test_the_words_and_edits_of_a_diagnosis_are_not_the_childs() -> None:
    forged = {"message": "m", "change": "c", "lesson": "a/b", "title": "t", "edits": [{"span": A_LINE, "text": "import os"}]}
    (record,) = told_of(shown(DIAGNOSIS | {"places": {"x": A_LINE}} | forged) + over())["records"]
    assert [record[name] for name in forged] == [None, None, None, "", []]
    assert record["places"] == {"x": A_LINE}


def test_a_diagnosis_that_lacks_a_value_has_no_words_and_ends_no_run() -> None:
    result = told_of(shown(DIAGNOSIS | {"code": "intermediate-saved", "message": "m"}) + over())
    (record,) = result["records"]
    assert (result["outcome"], record["message"], record["change"], record["edits"]) == ("finished", None, None, [])


def test_edits_are_the_programs_own_text_and_bounded_over_a_run() -> None:
    long = Program(source=Source(text="g *= 2 #" + "x" * 60_000))
    whole = {"line": 1, "column": 0, "end_line": 1, "end_column": 60_008}
    one = DIAGNOSIS | {"code": "saved-tensors-not-unpacked", "places": {"target": whole}}
    result = told_of(b"".join(shown(one | {"id": f"d-{number}"}) for number in range(60)) + over(), long)
    lengths = [sum(len(edit["text"]) for edit in record["edits"]) for record in result["records"]]
    assert result["outcome"] == "finished"
    assert 60_000 <= lengths[0] <= 65_536
    assert sum(lengths) <= 2**20
    assert lengths[-1] == 0


@pytest.mark.parametrize("fields", NOWHERE.values(), ids=NOWHERE)
def test_a_diagnosis_about_what_is_not_in_the_program_is_refused(fields: dict[str, Any]) -> None:
    result = told_of(shown(DIAGNOSIS | {"places": {"x": A_LINE, "call": fields}}) + over())
    assert (result["outcome"], result["records"]) == ("crashed", [])
