# tries: to read how it is confined
# outcome: raised, forbidden
import inspect
import importlib

module = importlib.import_module("app.sandbox.confinement.seccomp")
print(inspect.getsource(module)[:10])
print("ESCAPED")
