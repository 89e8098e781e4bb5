"""Answers requests about what a learner's program defined, also about its own check. Runs in the learner's child, after the program."""

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
    """Also runs the learner's own check. The check judges functions of the grader's child, and calls them through `link`."""

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
        """Answer a call. For a watched call of a Function, also report whether the program's own Function made the outputs."""
        called = super()._call(request)
        found = self.find_class(request.function)
        if called.used is None or found is None:
            return called
        comes_from_it = request.arguments or is_result(self._graph(called.id).outputs, found)  # then the outputs include arguments
        is_own = comes_from_it and find_fault(found, self._sources or Sources()) is None
        return structs.replace(called, used=structs.replace(called.used, is_own=is_own))

    def _inspect(self, request: Inspect) -> Inspected:
        try:
            found = self.find(request.function)
        except (NameError, AttributeError):
            return Inspected(fault="missing")
        return Inspected(fault=find_fault(found, self._sources or Sources()))

    def _judge(self, request: Judge) -> Judgement:
        """Call the learner's check with a function of the other child. Raises NameError if there is no such check."""
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
    """Return whether a check returned False, or a tensor or numpy value with a single false entry, such as `(a == b).all()`."""
    if issubclass(type(found), _tensor):
        return found.dtype == _bool and found.numel() == 1 and not bool(found)
    return found is False or (type_name(found) in ("bool", "bool_") and not bool(found))
