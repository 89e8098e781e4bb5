# tries: to find the observers with gc and replace their code
# outcome: finished, raised, crashed
# twin: none: there are no observers outside
import gc
import types

for thing in gc.get_objects():
    if isinstance(thing, types.FunctionType) and (thing.__module__ or "").startswith("app."):
        thing.__code__ = (lambda *_, **__: None).__code__
