"""There is a reply to any request, whatever a learner's function returns or raises."""

from typing import Any

import msgspec
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from app.protocol.calls import CALLS, Call, Called, Define, Fetch, Fetched, Judge, Plain, Pull, Raised, Reply, Report, Reported, Request
from app.protocol.run import Source
from app.runtimes.positions import Sources
from app.runtimes.torch.calls import call_server
from app.runtimes.torch.calls.call_server import CallServer
from app.runtimes.torch.calls.tensor_data import decode_tensor, encode_tensor, encode_value

PROGRAM = """
import torch

number = 3
x = torch.tensor([1.0, 2.0])


class Net:
    weight = torch.ones(2)


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


def fails(x):
    raise LookupError("no such thing")


def leaves(x):
    raise SystemExit(0)


class Odd(Exception):
    def __str__(self):
        raise ValueError


def slope(x):
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        return torch.autograd.grad((x * x).sum(), x)[0]


class HandsOver(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad):
        return slope(ctx.saved_tensors[0]) * grad


def oddly(x):
    raise Odd


class Lying(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *args, **kwargs):
        raise RuntimeError("never")


def subclass(x):
    return x.as_subclass(Lying)


def nothing(x):
    return None


def mixed(x):
    return x * 2, 3, "text", [x, 1]


def many(x):
    return [x] * 1000


def large(x):
    return [x.expand(10**5)] * 20


def endless(x):
    return endless(x)


import weakref

alive = 0
references = []


def gone(_):
    global alive
    alive -= 1


def keeps(x):
    global alive, alive_before
    held = torch.ones(1)
    alive_before, alive = alive, alive + 1
    references.append(weakref.ref(held, gone))
    return x * held
"""


def served(**options: Any) -> CallServer:
    sources = Sources()
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(PROGRAM, sources.register(Source(text=PROGRAM, cell="answer")), "exec"), namespace)
    return CallServer(namespace, sources, **options)


def ask(server: CallServer, request: Request) -> Any:
    return msgspec.msgpack.decode(server.answer(msgspec.msgpack.encode(request)), type=Reply)


ONE = encode_tensor(torch.tensor([3.0], requires_grad=True))


def call(name: str, **options: Any) -> Call:
    return Call(function=name, args=[ONE], **options)


def test_a_call_is_answered_with_outputs_and_a_pull_with_gradients() -> None:
    server = served()
    called = ask(server, call("Square"))
    pulled = ask(server, Pull(of=called.id, grads=[encode_tensor(torch.tensor([2.0]))]))
    assert decode_tensor(called.outputs[0]).tolist() == [9]
    assert decode_tensor(pulled.outputs[0]).tolist() == [12]


def test_what_nothing_is_asked_about_any_more_is_let_go_of_before_the_next_call() -> None:
    server = served()
    first, second = ask(server, call("keeps")), ask(server, call("keeps"))
    assert ask(server, Fetch(name="alive")).value.value == 2
    third = ask(server, call("keeps", done=[first.id, 10**6]))
    assert ask(server, Fetch(name="alive_before")).value.value == 1
    assert isinstance(ask(server, Pull(of=first.id, grads=[ONE])), Raised)
    for one in second, third:
        assert isinstance(ask(server, Pull(of=one.id, grads=[ONE])), Called)


@pytest.mark.parametrize("name", ["fails", "oddly", "leaves", "subclass", "many", "large", "endless", "missing", "number", "Net.none"])
def test_what_goes_wrong_is_raised(name: str) -> None:
    assert isinstance(ask(served(), call(name)), Raised)


def test_an_error_has_its_line_its_cell_and_its_bases() -> None:
    raised = ask(served(), call("fails"))
    assert (raised.type, raised.message, raised.line, raised.cell) == ("LookupError", "no such thing", 25, "answer")
    assert raised.bases == ["LookupError", "Exception", "BaseException"]
    assert ask(served(), call("oddly")).bases == ["Exception", "BaseException"]


def test_variables_and_attributes_are_read() -> None:
    server = served()
    assert ask(server, Fetch(name="number")) == Fetched(value=Plain(value=3))
    assert decode_tensor(ask(server, Fetch(name="Net.weight")).value).tolist() == [1, 1]
    assert isinstance(ask(server, Fetch(name="Net")), Raised)


def test_what_a_call_saved_is_reported() -> None:
    server = served()
    reported = ask(server, Report(of=ask(server, call("Square")).id))
    assert isinstance(reported, Reported)
    assert [(saved.shape, saved.dtype, saved.bytes) for saved in reported.saved] == [([1], "torch.float32", 4)]


def test_outputs_of_all_kinds_travel() -> None:
    called = ask(served(), call("mixed"))
    assert called.is_sequence and len(called.outputs) == 4
    assert ask(served(), call("nothing")).outputs == [Plain(value=None)]


def test_the_oldest_calls_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_server, "CALLS", 2)
    server = served()
    numbers = [ask(server, call("Square")).id for _ in range(3)]
    grads = [encode_tensor(torch.tensor([1.0]))]
    answers = [ask(server, Pull(of=number, grads=grads)) for number in numbers[:1]]
    assert isinstance(answers[0], Raised) and CALLS > 1000


def test_a_sibling_shows_that_a_gradient_was_changed_in_place() -> None:
    program = PROGRAM.replace("return 2 * x * grad", "return grad.mul_(2 * x)")
    namespace: dict[str, Any] = {}
    exec(program, namespace)
    server = CallServer(namespace)
    called = ask(server, call("Square", siblings=True))
    pulled = ask(server, Pull(of=called.id, grads=[encode_tensor(torch.tensor([2.0]))]))
    assert [decode_tensor(gradient).tolist() for gradient in pulled.outputs] == [[12], [12]]


@pytest.mark.parametrize(
    "request_", [Fetch(name="Square"), Report(of=1), Judge(function="Square", subject="Square"), call("nothing"), call("Square.forward")]
)
def test_of_a_mutant_nothing_is_asked_but_its_values(request_: Request) -> None:
    server = CallServer(served()._namespace, only="Square")
    ask(server, call("Square"))
    assert ask(server, request_) == call_server._UNREADABLE


def test_what_a_mutant_raises_has_no_text() -> None:
    raised = ask(CallServer({"Square": served()._namespace["fails"]}, only="Square"), call("Square"))
    assert (raised.type, raised.message, raised.line, raised.cell) == ("LookupError", "", None, None)


@settings(deadline=None)  # a machine may be busy
@given(st.binary(max_size=200))
def test_bytes_that_are_no_request_are_answered(data: bytes) -> None:
    assert isinstance(msgspec.msgpack.decode(served().answer(data), type=Reply), Raised)


@settings(deadline=None)
@given(
    st.integers(0, 3), st.lists(st.none() | st.just(encode_tensor(torch.ones(1))) | st.just(encode_tensor(torch.ones(2, 2))), max_size=4)
)
def test_pulls_of_any_form_are_answered(of: int, grads: list[Any]) -> None:
    server = served()
    ask(server, call("Square"))
    ask(server, call("mixed"))
    assert isinstance(ask(server, Pull(of=of, grads=grads, keep=True)), (Called, Raised))


@pytest.mark.parametrize(("function", "in_call", "in_pull"), [("slope", 1, None), ("HandsOver", 0, 1), ("Square", 0, 0)])
def test_it_says_how_often_autograd_went_back(function: str, in_call: int, in_pull: int | None) -> None:
    server = served()
    called = ask(server, Call(function=function, args=[ONE], watch=True))
    assert called.used.runs == in_call
    if in_pull is not None:
        for whole in (False, True):
            pulled = ask(server, Pull(of=called.id, grads=[encode_tensor(torch.ones(1))], whole=whole, watch=True))
            assert pulled.used.runs == in_pull * (1 + whole)


def test_what_is_defined_takes_the_place_of_the_programs_and_sees_its_variables() -> None:
    server = served()
    source = "def fails(x):\n    return Square.apply(x) + number\ndef nothing(x):\n    return x"
    assert ask(server, Define(source=source, names=["fails"])) == Fetched(value=Plain(value=None))
    assert decode_tensor(ask(server, Call(function="fails", args=[ONE])).outputs[0]).tolist() == [12.0]
    assert ask(server, Call(function="nothing", args=[ONE])).outputs == [Plain(value=None)]
    assert ask(server, Fetch(name="fails.__code__.co_argcount")) == Fetched(value=Plain(value=1))
    assert ask(server, Fetch(name="fails.__code__.co_names")) == Fetched(value=encode_value(("LookupError",)))
    assert ask(server, Define(source="x = (", names=[])).type == "SyntaxError"


def test_mutants_take_no_definitions() -> None:
    assert isinstance(ask(served(only="nothing"), Define(source="", names=[])), Raised)
