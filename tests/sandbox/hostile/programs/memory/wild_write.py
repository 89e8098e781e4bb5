# tries: to write over its own interpreter
# outcome: crashed
# twin: dies
import ctypes

ctypes.memset(id(type), 0x41, 4096)
type(1)
