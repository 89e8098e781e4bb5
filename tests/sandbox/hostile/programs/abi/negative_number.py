# tries: a number below zero
# outcome: finished, forbidden
# twin: none: there is no such call
import ctypes

print("ESCAPED" if ctypes.CDLL(None).syscall(ctypes.c_long(-1)) >= 0 else "refused")
