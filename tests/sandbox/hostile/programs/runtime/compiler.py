# tries: to have C++ compiled and loaded
# outcome: forbidden
# runtimes: torch
# twin: none: it takes minutes
from torch.utils.cpp_extension import load_inline

load_inline("hostile", "int f() { return 1; }", functions=["f"])
print("ESCAPED")
