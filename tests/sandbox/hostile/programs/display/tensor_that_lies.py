# tries: a tensor that answers every question with a lie
# outcome: finished, raised, crashed
# runtimes: torch
# twin: none: nobody asks it outside
import torch


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, arguments=(), keywords=None):
        raise SystemExit("I lied")

    shape = property(lambda self: 1 / 0)
    dtype = property(lambda self: exec("import os; os._exit(1)") if False else "<b>")
    requires_grad = property(lambda self: [])
    grad_fn = property(lambda self: self)


torch.ones(2).as_subclass(Liar)
