"""Whatever a learner's process answers, there is a verdict, and it is not a pass."""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.protocol.calls import Called, Judgement, Plain, Raised, Reply, Reported, TensorData, Value
from app.protocol.grading import Rubric
from app.runtimes.torch.grading.warm_up_examination import _SOLUTION
from tests.runtimes.torch.grading.loopback import Loopback, codes, grade

METHODS = ("values", "gradients", "second", "third", "gradcheck", "gradgradcheck", "linear", "strides", "untouched", "interleaved", "scale")
METHODS += ("needs", "dtypes", "scalars")
CHECKS = 'from gradroom import Subject, check, draw, mistake, value\nsubject = Subject("WarmUp", lambda: [draw.tensor()])\n' + "".join(
    f"\n\n@check\ndef {name}():\n    subject.{name}()\n" for name in METHODS
)
EXERCISE = Rubric(checks=CHECKS + "\n\n@mistake\ndef it():\n    return subject.behaves_like(backward=lambda g, x: g)\n", solution=_SOLUTION)

NUMBERS = st.integers(0, 2**31) | st.integers(0, 3)
TENSORS = st.builds(
    TensorData,
    dtype=st.sampled_from(["float64", "float32", "int64", "bool"]),
    shape=st.lists(NUMBERS, max_size=3),
    data=st.binary(max_size=40),
    requires_grad=st.booleans(),
    strides=st.none() | st.lists(NUMBERS, max_size=3),
)
VALUES: st.SearchStrategy[Value | None] = (
    TENSORS | st.builds(Plain, value=st.none() | st.booleans() | st.floats() | st.text(max_size=5)) | st.none()
)
REPLIES: st.SearchStrategy[Reply] = st.one_of(
    st.builds(
        Called, id=NUMBERS, outputs=st.lists(VALUES, max_size=3), after=st.lists(st.none() | TENSORS, max_size=2), is_sequence=st.booleans()
    ),
    st.builds(
        Raised,
        type=st.text(max_size=9),
        message=st.text(max_size=9),
        bases=st.lists(st.sampled_from(["SystemExit", "KeyError", "x"]), max_size=2),
    ),
    st.builds(Judgement, accepted=st.booleans()),
    st.just(Reported(saved=[])),
)
encode = msgspec.msgpack.Encoder().encode


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, 60), REPLIES.map(encode) | st.binary(max_size=30), st.booleans())
def test_a_reply_that_is_not_the_answer_is_no_pass_of_its_check_and_no_crash(at: int, reply: bytes, from_then_on: bool) -> None:
    def change(number: int, true: bytes) -> bytes:
        return reply if number == at or (from_then_on and number > at) else true

    verdict = grade("", EXERCISE, link=Loopback(_SOLUTION, change=change))
    assert len(verdict.checks) == len(METHODS)
    assert not from_then_on or not verdict.passed
    assert "broken" not in codes(verdict).values()


CHANGES = {
    "a shape of its own": {"shape": [1, 1, 1, 1], "data": bytes(8)},
    "another dtype": {"dtype": "float32", "shape": [2], "data": bytes(8)},
    "a shape that is too large": {"shape": [2**31, 2**31]},
    "fewer bytes": {"data": b""},
    "whole numbers with a gradient": {"dtype": "int64", "requires_grad": True},
}


@pytest.mark.parametrize("name", CHANGES)
def test_tensors_that_lie_about_themselves_pass_nothing(name: str) -> None:
    def change(number: int, true: bytes) -> bytes:
        reply = msgspec.msgpack.decode(true, type=Reply)
        if not isinstance(reply, Called):
            return true
        return encode(msgspec.structs.replace(reply, outputs=[lie(value) for value in reply.outputs]))

    def lie(value: Value | None) -> Value | None:
        return msgspec.structs.replace(value, **CHANGES[name]) if isinstance(value, TensorData) else value

    verdict = grade("", EXERCISE, link=Loopback(_SOLUTION, change=change))
    assert not any(check.passed for check in verdict.checks)
    assert "broken" not in codes(verdict).values()
