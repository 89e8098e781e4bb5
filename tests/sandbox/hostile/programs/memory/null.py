# tries: to read address zero
# outcome: crashed
# says: SIGSEGV
# twin: dies
import ctypes

ctypes.string_at(0)
