# tries: the old page of system calls at a fixed address (vsyscall)
# outcome: finished, crashed, forbidden
# machine: x86_64
# twin: none: what it answers is the time, which everybody may know
import ctypes

function = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(0xFFFFFFFFFF600400)
print("the time" if function(None) > 0 else "refused")
