"""Answers for what a learner's program defined, its own check included. Runs in the learner's child, after the program."""

from typing import Any

import torch
from msgspec import structs

from app.protocol.calls import Call, Called, Inspect, Inspected, Judge, Judgement, Reply
from app.runtimes.plain_text import type_name
from app.runtimes.positions import Sources
from app.runtimes.runtime import Link
from app.runtimes.torch.calls.autograd_use import AutogradUse
from app.runtimes.torch.calls.call_server import CallServer
from app.runtimes.torch.calls.function_class import find_fault, is_result
from app.runtimes.torch.calls.proxy import remote_function
from app.runtimes.torch.calls.remote_graph import Asker

_tensor, _bool = torch.Tensor, torch.bool


class LearnerServer(CallServer):
    """`link`: where the functions live that the learner's check is called with."""

    link: Link

    def _answer(self, request: Any) -> Reply:
        match request:
            case Judge():
                return self._judge(request)
            case Inspect():
                return self._inspect(request)
            case _:
                return super()._answer(request)

    def _call(self, request: Call) -> Called:
        """A Function is looked at again after it was called, and so is where its outputs come from."""
        called = super()._call(request)
        found = self.find_class(request.function)
        if called.used is None or found is None:
            return called
        comes_from_it = request.arguments or is_result(self._graph(called.id).outputs, found)  # arguments are among the outputs then
        is_own = comes_from_it and find_fault(found, self._sources or Sources()) is None
        return structs.replace(called, used=structs.replace(called.used, is_own=is_own))

    def _inspect(self, request: Inspect) -> Inspected:
        try:
            found = self.find(request.function)
        except (NameError, AttributeError):
            return Inspected(fault="missing")
        return Inspected(fault=find_fault(found, self._sources or Sources()))

    def _judge(self, request: Judge) -> Judgement:
        """Raises NameError where there is no such check."""
        check = self.find_function(request.function)
        function = remote_function(Asker(self.link.ask), request.subject)
        use = AutogradUse(request.watch)
        try:
            with use:
                found = check(function)
            return Judgement(accepted=not _is_false(found), used=use.found())
        except BaseException as error:
            return Judgement(accepted=False, raised=self.raised(error), used=use.found())


def _is_false(found: Any) -> bool:
    """False, or the one entry of a tensor or numpy array that is false: `(a == b).all()` means the same."""
    if issubclass(type(found), _tensor):
        return found.dtype == _bool and found.numel() == 1 and not bool(found)
    return found is False or (type_name(found) in ("bool", "bool_") and not bool(found))
