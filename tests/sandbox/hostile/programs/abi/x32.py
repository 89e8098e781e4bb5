# tries: a number of the x32 table
# outcome: forbidden
# machine: x86_64
# twin: none: this kernel was built without x32
import ctypes

result = ctypes.CDLL(None).syscall(0x40000000 + 39)
print("ESCAPED" if result > 0 else "refused")
