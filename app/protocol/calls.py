"""The questions about functions that are defined in another child: call one, pull gradients back through it, read a variable.

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
CALLS = 4096  # the most that one process stores for others; the oldest is dropped first
TENSOR_BYTES = 2**20  # the most of one tensor's entries, and of its layout in memory
TENSORS_BYTES = 4 * TENSOR_BYTES  # the most of all tensors of one reply
USED_NAMES = 64  # the most that are reported as used for one answer
QUESTIONS = 15_000  # that a learner's own check may ask in all, of all functions that it judges
ANSWERED_BYTES = 8 * TENSORS_BYTES  # of all answers to these


class TensorData(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="tensor"):
    """The entries of a tensor, in order, little-endian.

    `strides`, in entries: how it is to be laid out in memory where it arrives; none: contiguous. Entries that share a place are equal.
    `requires_grad`: of an argument, that gradients are asked for; it then arrives as a leaf, or, with `leaf` false, as what an operation
    made of one. Of an output or a gradient, that it can be pulled through.
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

    `siblings`: add a zero leaf to each output, and count these leaves as inputs after the arguments: a backward that changes its
    grad_output in place then spoils their gradients. `arguments`: count the tensor arguments that require grad, as they are after the
    call, as outputs after its own: what a function did in place can then be pulled through. `done`: earlier calls and pulls that nothing is
    asked about any more; what they hold is let go of before the call. `watch`: it is told what was used to answer.
    """

    function: Label
    args: Annotated[list[Value], msgspec.Meta(max_length=ARGUMENTS)] = []
    kwargs: Annotated[dict[Label, Value], msgspec.Meta(max_length=ARGUMENTS)] = {}
    siblings: bool = False
    arguments: bool = False
    done: Annotated[list[Count], msgspec.Meta(max_length=CALLS)] = []
    watch: bool = False


class Pull(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="pull"):
    """The vector–Jacobian product of an earlier call or pull with `grads`, one for each of its outputs, None for zero.

    The inputs of a call are its tensor arguments that require grad, in order, those in lists and the named ones among them; those of a pull
    are the inputs of what it pulled through and then its own `grads`, with no gradient for those that are None or do not require grad. So
    a pull of a pull is a double vector–Jacobian product, and so on. `keep`: it will itself be pulled through. If all `grads` are None,
    undefined ones are sent back. `whole`: through all of the graph, as `Tensor.backward` does, and not only the part that leads to the
    inputs: what raises elsewhere in it is met. `watch`: as in Call.
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
    """Execute a source of the author's. Calls of these `names` are then of what it defines, which sees the program's variables as they are;
    the program itself goes on with its own. Answered by Fetched, with None."""

    source: str
    names: list[Label]


class Report(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="report"):
    """Report what the node of an earlier call saved. The process may lie, so nothing rests on this."""

    of: Count


class Judge(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="judge"):
    """Call `function`, the learner's own check, with a function that looks like any other and lives with the asker: `subject`, its name.

    `watch`: as in Call.
    """

    function: Label
    subject: Label
    watch: bool = False


class Inspect(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="inspect"):
    """Whether `function`, a dotted name, stands for a Function class of the program's own, as it is now. Answered by Inspected."""

    function: Label


class Used(msgspec.Struct, frozen=True, kw_only=True):
    """What was used to answer. `runs`: how often autograd went back through a graph, in any thread, what was asked for not counted.

    `means`: the names of what else computes gradients: nodes of a graph that a program calls itself, operators that are derivatives of
    others ("aten::tanh_backward"), dual numbers ("aten::_make_dual"); and of what keeps from seeing them: other threads, an ended profiler,
    modes and hooks on saved tensors that were left on. `operators`: those that the program itself called, "aten::exp". `is_own`: of a call
    of a Function class, that it is still the program's own, as Inspected says, and that its outputs come from its own node.
    """

    runs: Count = 0
    means: Annotated[list[Label], msgspec.Meta(max_length=USED_NAMES)] = []
    operators: Annotated[list[Label], msgspec.Meta(max_length=USED_NAMES)] = []
    is_own: bool = True


class Called(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="called"):
    """`outputs` of a call, or gradients of a pull, None for an input without one. `id` names it for pulls. `after`: the tensor arguments as
    they are now. `is_sequence`: the call gave a tuple or list. `used`: if it was to be watched."""

    id: Count
    outputs: Annotated[list[Value | None], msgspec.Meta(max_length=2 * ARGUMENTS)]
    after: Annotated[list[TensorData | None], msgspec.Meta(max_length=ARGUMENTS)] = []
    is_sequence: bool = False
    used: Used | None = None


class Raised(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="raised"):
    """It raised. `line`: the innermost one of the learner's program, or else of a replayed cell, which is then `cell`.

    `bases`: Python's own types among those of the exception. `out_of_memory`: for lack of memory, says the process itself.
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
    """What the learner's check found: `accepted` if it returned anything but False and raised nothing. `used`: as in Called."""

    accepted: bool
    used: Used | None = None
    raised: Raised | None = None


class Inspected(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="inspected"):
    """`fault`: why it is no Function of the program's own, None if it is.

    "missing": nothing is called so; "base": it is no class derived from torch.autograd.Function; "apply": it has an `apply` of its own;
    "forward" and "backward": it has no such method that is written in the program; "changed": what PyTorch made of the class, or a part of
    PyTorch that calls it, has been replaced.
    """

    fault: FunctionFault | None = None


Request = Call | Pull | Fetch | Define | Report | Judge | Inspect
Reply = Called | Raised | Fetched | Reported | Judgement | Inspected
