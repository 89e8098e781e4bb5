# tries: to break what the sandbox's own Python calls
# outcome: raised
# says: ZeroDivisionError
# twin: none: what is broken outside is the program itself
import builtins

for name in ("len", "print", "open", "isinstance", "issubclass", "type", "str", "repr", "getattr", "list", "dict", "bytes", "min", "iter"):
    setattr(builtins, name, lambda *_: 1 / 0)
1 / 0
