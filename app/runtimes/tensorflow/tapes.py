"""The gradient tapes of a program: which are recording, what they record, and the graph of each call of `gradient`. Runs in the child.

TensorFlow calls `Tapes._after_operation` after each operation. The trace function sees the frames in which a tape begins, ends, watches a
tensor or computes gradients. Written against TensorFlow 2.21.
"""

import re
import sys
import weakref
from collections.abc import Callable, Iterable, Mapping
from types import CodeType, FrameType
from typing import Any, Literal

from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import backprop, context, imperative_grad, record, tape
from tensorflow.python.framework import dtypes
from tensorflow.python.framework.ops import EagerTensor
from tensorflow.python.ops import custom_gradient, gradient_checker_v2
from tensorflow.python.ops.resource_variable_ops import BaseResourceVariable

from app.runtimes.instruments.tracing.frame_trace import WhenFrameBegins, WhenFrameEnds
from app.runtimes.instruments.tracing.pass_graphs import PassGraphs
from app.runtimes.plain_text import LABEL_CHARACTERS, NAME_CHARACTERS, plain
from app.runtimes.positions import Sources
from app.runtimes.tensorflow.tape_log import ENTRIES, Operation, TapeGraph, TapeLog, TapeTensor

_COMPILED = re.compile(r"__(?:forward|inference)_(.+)_\d+")  # TensorFlow's name for the graph that tf.function made of a function
_GRADIENT = backprop.GradientTape.gradient.__code__
_WATCH = backprop.GradientTape.watch.__code__


class Tapes:
    """The tapes of the thread that calls `start`. `exhausted`: a bound was reached, so that later operations are not known."""

    def __init__(self, sources: Sources, graphs: PassGraphs, fail: Callable[[Exception], None]) -> None:
        self._sources, self._graphs, self._fail = sources, graphs, fail
        self._logs: dict[int, tuple[weakref.ref[Any], TapeLog]] = {}  # by the identity of the tape
        self._recording: list[tuple[int, TapeLog]] = []
        # the numbers of operations, of entries of all logs, and of calls of `gradient` that are running
        self._count = self._entries = self._passes = 0
        self.exhausted = False

    @property
    def watched(self) -> Mapping[CodeType, WhenFrameBegins]:
        """The functions that the trace function calls when frames of these codes begin."""
        return {
            backprop.GradientTape._push_tape.__code__: self._in_push,
            backprop.GradientTape._pop_tape.__code__: self._in_pop,
            tape.watch.__code__: self._in_watch,
            tape.watch_variable.__code__: self._in_watch,
            record.record_operation.__code__: self._in_record,
            record.record_operation_backprop_only.__code__: self._in_record,
            backprop.record_gradient.__code__: self._in_record_gradient,
            imperative_grad.imperative_grad.__code__: self._in_gradient,
        }

    def start(self) -> None:
        context.context().add_op_callback(self._after_operation)

    def stop(self) -> None:
        if self._after_operation in context.context().op_callbacks:
            context.context().remove_op_callback(self._after_operation)

    def _in_push(self, frame: FrameType) -> WhenFrameEnds | None:
        one = frame.f_locals["self"]
        if one._tape is None:  # a new tape, or one that was reset
            self._forget(id(one))
        recording = id(one), self._log_of(one)

        def end(_: FrameType, __: object, raised: bool) -> None:
            if not raised:
                self._recording.append(recording)

        return end

    def _in_pop(self, frame: FrameType) -> None:
        key = id(frame.f_locals["self"])
        self._recording = [each for each in self._recording if each[0] != key]

    def _in_watch(self, frame: FrameType) -> None:
        caller = frame.f_back
        if caller is not None and caller.f_code is _WATCH:
            values = frame.f_locals
            watched = values["tensor"] if "tensor" in values else values["variable"]
            self._add(self._log_of(caller.f_locals["self"]), tape_tensor(watched))

    def _in_record(self, frame: FrameType) -> None:
        if context.executing_eagerly():
            values, caller = frame.f_locals, frame.f_back
            is_custom = caller is not None and caller.f_code.co_filename == custom_gradient.__file__
            self._record(str(values["op_type"]), values["input_tensors"], values["output_tensors"], frame, is_custom=is_custom)

    def _in_record_gradient(self, frame: FrameType) -> None:
        """Record an operation that TensorFlow executes in Python, as it does if its C code does not support an argument."""
        if context.executing_eagerly():
            self._record(str(frame.f_locals["op_name"]), frame.f_locals["inputs"], frame.f_locals["outputs"], frame)

    def _after_operation(self, kind: str, inputs: Any, _: Any, outputs: Any, op_name: Any = None, graph: Any = None) -> None:
        """Record an operation. TensorFlow calls this after each one. It must return None: any other value would replace the outputs."""
        if graph is not None or self.exhausted or not self._recording:
            return
        try:
            self._record(kind, inputs, outputs, sys._getframe(1))
        except Exception as error:  # the exception would otherwise be raised in the program
            self.exhausted = True
            self._fail(error)

    def _record(self, kind: str, inputs: Any, outputs: Any, frame: FrameType, *, is_custom: bool = False) -> None:
        if not self._recording or self.exhausted or pywrap_tfe.TFE_Py_TapeSetIsStopped():
            return
        self._count += 1
        compiled = _COMPILED.fullmatch(kind)
        order: Literal[1, 2] = 2 if self._passes else 1
        operation = Operation(
            self._count,
            plain(f"tf.function: {compiled[1]}" if compiled else kind, LABEL_CHARACTERS),
            tuple(tape_tensors(inputs)),
            tuple(tape_tensors(outputs)),
            self._sources.caller_of(frame),
            is_custom,
            order,
        )
        for _, log in self._recording:
            self._add(log, operation)

    def _in_gradient(self, frame: FrameType) -> WhenFrameEnds | None:
        """Add the graph of what a tape has recorded, as the tape begins to compute gradients.

        Return the function to call when it has computed them.
        """
        caller = frame.f_back
        if caller is None or caller.f_code is not _GRADIENT or not context.executing_eagerly():
            return None
        if not self._passes and not self.exhausted and self._sources.frame_of(caller, (gradient_checker_v2.__file__,)):
            one = caller.f_locals["self"]
            watches = one._watch_accessed_variables
            variables = list(tape_tensors(frame.f_locals["tape"].watched_variables())) if watches else []
            targets = list(tape_tensors(frame.f_locals["target"]))
            graph = TapeGraph([*variables, *self._log_of(one)], targets, variable_names(self._sources, caller))
            self._graphs.add(graph.nodes, graph.edges, self._sources.caller_of(caller))
        self._passes += 1

        def end(*_: Any) -> None:
            self._passes -= 1

        return end

    def _log_of(self, one: Any) -> TapeLog:
        key = id(one)
        if key not in self._logs:
            self._logs[key] = weakref.ref(one, lambda _: self._forget(key)), []
        return self._logs[key][1]

    def _forget(self, key: int) -> None:
        _, log = self._logs.pop(key, (None, None))
        if log is not None:
            self._entries -= len(log)

    def _add(self, log: TapeLog, entry: Operation | TapeTensor) -> None:
        if self._entries >= ENTRIES:
            self.exhausted = True
        else:
            self._entries += 1
            log.append(entry)


def tape_tensors(values: Iterable[Any]) -> Iterable[TapeTensor]:
    return (tape_tensor(each) for each in values if issubclass(type(each), EagerTensor | BaseResourceVariable))


def tape_tensor(value: Any) -> TapeTensor:
    """Return what a tape knows about an eager tensor, or about a variable."""
    shape = tuple(value.shape.as_list()) if value.shape.rank is not None else None
    dtype = value.dtype
    trains = dtype.is_floating or dtype.is_complex or dtype in (dtypes.resource, dtypes.variant)
    if issubclass(type(value), BaseResourceVariable):
        return TapeTensor(value.handle._id, shape, dtype.name, trains, plain(value.name.partition(":")[0], NAME_CHARACTERS))
    return TapeTensor(value._id, shape, dtype.name, trains)


def variable_names(sources: Sources, frame: FrameType | None) -> dict[int, str]:
    """Return the names of the learner's global variables, by the number of the tensor or of the variable's handle."""
    names: dict[int, str] = {}
    for name, value in sources.global_variables(frame):
        if issubclass(type(value), EagerTensor | BaseResourceVariable):
            names.setdefault(tape_tensor(value).number, name)
    return names
