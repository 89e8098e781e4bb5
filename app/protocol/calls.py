"""The requests for functions that are defined in another child: call one, compute its gradients (a "pull"), or read a variable.

The grader's child asks the learner's. If the exercise asks for a check, the learner's child also asks the grader's, in which the mutants
are defined. Tensors travel as bytes, so that only numbers arrive, and the child that asks has copies of its own.
"""

from typing import Annotated, Literal

import msgspec

from app.protocol.records.record import Count, Label

DType = Literal["float64", "float32", "float16", "bfloat16", "complex128", "complex64", "int64", "int32", "int16", "int8", "uint8", "bool"]
FunctionFault = Literal["missing", "base", "apply", "forward", "backward", "changed"]
Size = Annotated[int, msgspec.Meta(ge=0, le=2**31)]
ARGUMENTS = 64
SAVED = 1024  # the most tensors that are reported as saved by one call
CALLS = 4096  # the most calls and pulls that one process stores; the oldest is dropped first
TENSOR_BYTES = 2**20  # the most that one tensor's entries take, and the most memory that its layout spans
TENSORS_BYTES = 4 * TENSOR_BYTES  # the most that all tensors of one reply take
USED_NAMES = 64  # the most names that are reported as used for one answer
QUESTIONS = 15_000  # the most that a learner's own check may ask about all functions together
ANSWERED_BYTES = 8 * TENSORS_BYTES  # the most that all answers to these questions take


class TensorData(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="tensor"):
    """The entries of a tensor, in order, little-endian.

    `strides`: the strides that the receiver gives the tensor, in entries; None means contiguous. Entries that share a place in memory must
    be equal. `requires_grad`: for an argument, whether its gradient is wanted; for an output or a gradient, whether a Pull may refer to it.
    `leaf`: whether the receiver makes an argument that requires grad a leaf, or the result of an operation on a leaf.
    """

    dtype: DType
    shape: Annotated[list[Size], msgspec.Meta(max_length=16)]
    data: bytes
    strides: Annotated[list[Size], msgspec.Meta(max_length=16)] | None = None
    requires_grad: bool = False
    leaf: bool = True


class Plain(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="plain"):
    """None, a bool, a number or a text. Floats need not be finite, since this is msgpack and not JSON."""

    value: bool | int | float | Label | None


class Sequence(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="sequence"):
    """A list or tuple of plain values, or of tensors."""

    items: Annotated[list[TensorData | Plain], msgspec.Meta(max_length=ARGUMENTS)]


Value = TensorData | Plain | Sequence


class Call(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="call"):
    """Call `function`, a dotted name; a Function class is applied.

    `siblings`: add a zero leaf to each output, and count these leaves as further inputs. A backward that changes its grad_output in place
    then spoils their gradients. `arguments`: count the tensor arguments that require grad, as they are after the call, as further outputs.
    Gradients can then also be computed through what a function did in place. `done`: earlier calls and pulls that are no longer needed;
    their tensors are freed before the call. `watch`: report in the answer's `used` how it was computed.
    """

    function: Label
    args: Annotated[list[Value], msgspec.Meta(max_length=ARGUMENTS)] = []
    kwargs: Annotated[dict[Label, Value], msgspec.Meta(max_length=ARGUMENTS)] = {}
    siblings: bool = False
    arguments: bool = False
    done: Annotated[list[Count], msgspec.Meta(max_length=CALLS)] = []
    watch: bool = False


class Pull(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="pull"):
    """Compute the vector–Jacobian product of an earlier call or pull with `grads`: one for each of its outputs, None for zero.

    The answer has a gradient for each input. The inputs of a call are its tensor arguments that require grad, in order, including those in
    lists and the named ones. The inputs of a pull are those of the call or pull `of`, and then its own `grads`; a grad that is None or
    does not require grad gets no gradient. So a pull of a pull computes second derivatives, and so on.

    If all `grads` are None, backward functions are given undefined gradients. `keep`: a later Pull may refer to this one. `whole`: run
    through the whole graph, as `Tensor.backward` does, and not only the part that leads to the inputs, so that whatever raises in the rest
    is found. `watch`: as in Call.
    """

    of: Count
    grads: Annotated[list[TensorData | None], msgspec.Meta(max_length=2 * ARGUMENTS)]
    keep: bool = False
    whole: bool = False
    watch: bool = False


class Fetch(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="fetch"):
    """Read a variable of the program, or an attribute, by its dotted name."""

    name: Label


class Define(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="define"):
    """Execute a source of the author's. Afterwards, calls of these `names` reach what the source defines.

    The source sees the program's variables, but the program itself keeps its own definitions. Answered by Fetched, with None.
    """

    source: str
    names: list[Label]


class Report(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="report"):
    """Report which tensors the node of an earlier call saved. The process may lie, so no check passes because of it."""

    of: Count


class Judge(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="judge"):
    """Call `function`, the learner's own check. Its argument is a function named `subject`, which runs in the process that asks.

    To the check, this looks like any other function. `watch`: as in Call.
    """

    function: Label
    subject: Label
    watch: bool = False


class Inspect(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="inspect"):
    """Ask whether the name `function` now stands for a Function class that the program itself defines. Answered by Inspected."""

    function: Label


class Used(msgspec.Struct, frozen=True, kw_only=True):
    """How an answer was computed. `runs`: how often autograd went back through a graph, in any thread, besides the pull that was asked for.

    `means`: the names of whatever else computes gradients: graph nodes that a program calls itself, operators that are derivatives of
    others ("aten::tanh_backward"), dual numbers ("aten::_make_dual"). Named as well is what prevents seeing these: other threads, an ended
    profiler, modes and hooks on saved tensors that were left on. `operators`: those that the program itself called, such as "aten::exp".
    `is_own`: for a call of a Function class, whether the class is still the program's own (see Inspected) and the outputs come from its
    node.
    """

    runs: Count = 0
    means: Annotated[list[Label], msgspec.Meta(max_length=USED_NAMES)] = []
    operators: Annotated[list[Label], msgspec.Meta(max_length=USED_NAMES)] = []
    is_own: bool = True


class Called(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="called"):
    """The answer to a call or pull. `id` names it for later pulls.

    `outputs`: those of the call, or the gradients of the pull; None for an input without one. `after`: the tensor arguments as they are
    after the call. `is_sequence`: whether the call returned a tuple or list. `used`: set if the request had `watch`.
    """

    id: Count
    outputs: Annotated[list[Value | None], msgspec.Meta(max_length=2 * ARGUMENTS)]
    after: Annotated[list[TensorData | None], msgspec.Meta(max_length=ARGUMENTS)] = []
    is_sequence: bool = False
    used: Used | None = None


class Raised(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="raised"):
    """The request raised an exception.

    `line`: the innermost line of the learner's program; if there is none, that of the replayed cell `cell`. `bases`: Python's own types
    among the bases of the exception. `out_of_memory`: whether the process itself says that it lacked memory.
    """

    type: Label
    message: Label
    bases: Annotated[list[Label], msgspec.Meta(max_length=16)] = []
    line: Count | None = None
    cell: Label | None = None
    out_of_memory: bool = False


class Fetched(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="fetched"):
    value: Value


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    shape: list[Size]
    dtype: Label
    bytes: Count


class Reported(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="reported"):
    saved: Annotated[list[Saved], msgspec.Meta(max_length=SAVED)]


class Judgement(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="judgement"):
    """What the learner's check found. `accepted`: it raised nothing and returned anything but False. `used`: as in Called."""

    accepted: bool
    used: Used | None = None
    raised: Raised | None = None


class Inspected(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="inspected"):
    """The answer to Inspect. `fault`: why the name does not stand for a Function class of the program's own; None if it does.

    "missing": nothing has this name. "base": it is no class derived from torch.autograd.Function. "apply": the class has an `apply` of its
    own. "forward", "backward": no such method is written in the program. "changed": what PyTorch made of the class, or a part of PyTorch
    that calls the class, has been replaced.
    """

    fault: FunctionFault | None = None


Request = Call | Pull | Fetch | Define | Report | Judge | Inspect
Reply = Called | Raised | Fetched | Reported | Judgement | Inspected
