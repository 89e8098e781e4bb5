"""Records from outside: a known kind has its fields and bounds, an unknown one stays what it is, and nothing else is raised."""

import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.protocol.records.figure import ATTRIBUTES, FigureElement
from app.protocol.records.record import Span
from app.protocol.records.registry import KINDS, RECORD_NAMES, RecordMalformed, RecordTooLarge, decode_record, encode_record
from app.protocol.records.unknown import UnknownRecord
from tests.one_test import in_one_test

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=20,
)
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a machine may be busy
FIELDS = sorted({name for kind in KINDS.values() for name in kind.type.__struct_fields__})


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "value", "text": "", "values": [[]] * 3000},
        {"kind": "value", "text": "", "values": [[[[]]]] * 1000},
        {"kind": "value", "text": "", "values": [float("nan")]},
        {"kind": "value", "text": "", "shape": [1] * 65},
        {"kind": "gradcheck", "order": 1, "mode": "reverse", "passed": True, "eps": float("nan"), "atol": 0, "rtol": 0},
        {"kind": "graph", "nodes": [], "edges": [], "svg": 5},
        {"kind": "figure", "width": 1, "height": 1, "drawing": [["script", {}]]},
        {"kind": "figure", "width": 1, "height": 1, "drawing": [["g", {"onload": "alert(1)"}]]},
        {"kind": "figure", "width": 1, "height": 1, "drawing": [["use", {"href": "https://example.org/#a"}]]},
        {"kind": "figure", "width": 1, "height": 1, "drawing": [["path", {"fill": "url(https://example.org)"}]]},
        {"kind": "figure", "width": 1e9, "height": 1},
        {"kind": "value", "id": "", "text": ""},
        {"kind": "value", "id": "a b", "text": ""},
        {"kind": "value", "id": "v\n", "text": ""},
        {"kind": "diagnosis", "id": "d", "code": "a-code\n", "severity": "hint"},
        {"kind": "diagnosis", "id": "d", "code": "a-code", "severity": "hint", "values": {"name": "x\n"}},
        {"kind": "value", "id": "v", "text": "", "refs": ["<b>"]},
        {"kind": "value", "id": "v", "text": "", "span": {"cell": "a"}},
        {"kind": "graph", "id": "g", "nodes": [{"id": "n 1", "kind": "leaf", "label": "x"}]},
        {"kind": "diagnosis", "id": "d", "code": "Any text", "severity": "hint"},
        {"kind": "diagnosis", "id": "d", "code": "a-code", "severity": "hint", "values": {"name": "some text"}},
        {"kind": 5},
        {"text": "without a kind"},
        [],
    ],
)
def test_what_is_no_record_is_refused(record: object) -> None:
    with pytest.raises(RecordMalformed):
        decode_record(json.dumps(record).encode())


def test_a_record_is_refused_by_its_size_before_it_is_decoded() -> None:
    with pytest.raises(RecordTooLarge):
        decode_record(json.dumps({"kind": "value", "text": "", "values": [[]] * 300_000}).encode())
    with pytest.raises(RecordTooLarge):
        decode_record(json.dumps({"kind": "newer", "text": "x" * 100_000}).encode())


@pytest.mark.parametrize(("kind", "field", "element", "count"), [("figure", "drawing", ["g"], 60_000), ("gradcheck", "pairs", [], 400_000)])
def test_a_record_is_refused_by_its_lists_before_they_are_made(kind: str, field: str, element: object, count: int) -> None:
    with pytest.raises(RecordTooLarge):
        decode_record(json.dumps({"kind": kind, "width": 1, "height": 1, field: [element] * count}).encode())


def test_a_kind_that_no_table_knows_stays_what_it_is() -> None:
    span = {"cell": "a", "line": 3, "column": None, "end_line": None, "end_column": None}
    data = {"kind": "hologram", "id": "h-1", "span": span, "refs": ["n1"], "title": "", "stdout_offset": 0, "depth": [1, {"b": None}]}
    record = decode_record(json.dumps(data).encode())
    assert isinstance(record, UnknownRecord)
    assert (record.name, record.span) == ("unknown record hologram", Span(cell="a", line=3))
    assert json.loads(encode_record(record)) == data


@pytest.mark.parametrize("value", [[[]] * 12_000, "[" * 40 + "]" * 40])
def test_an_unknown_record_is_bounded(value: object) -> None:
    text = value if isinstance(value, str) else json.dumps(value)
    with pytest.raises(RecordMalformed):
        decode_record(b'{"kind":"hologram","x":' + text.encode() + b"}")


@UNHURRIED
@given(st.sampled_from([*KINDS, "hologram"]), st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_any_json_raises_nothing_else(kind: str, fields: dict[str, object]) -> None:
    with suppress(RecordMalformed, RecordTooLarge):
        decode_record(json.dumps({"kind": kind, **fields}).encode())


@UNHURRIED
@given(st.binary(max_size=500))
def test_any_bytes_raise_nothing_else(data: bytes) -> None:
    with suppress(RecordMalformed, RecordTooLarge):
        decode_record(data)


def test_names_that_lessons_declare_belong_to_one_kind_each() -> None:
    assert len(set(RECORD_NAMES)) == len(RECORD_NAMES)


@in_one_test("name", ATTRIBUTES)
@in_one_test("piece", ["1", "1 ", "-.1e1", "M1 1", "translate(1 1)", "a"])
def test_a_value_that_does_not_match_is_found_out_in_one_pass(name: str, piece: str) -> None:
    ATTRIBUTES[name].fullmatch(piece * 100_000 + "\N{BULLET}")  # the test's time limit is the assertion: another way takes for ever


def test_an_image_and_nothing_else_has_a_png() -> None:
    with pytest.raises(ValueError):
        FigureElement("path", png="aaaa")
    with pytest.raises(ValueError):
        FigureElement("image")
