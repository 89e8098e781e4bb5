# tries: a socket by its x32 number
# outcome: forbidden
# machine: x86_64
# twin: none: this kernel was built without x32
import ctypes

result = ctypes.CDLL(None).syscall(0x40000000 + 41, 1, 1, 0)
print("ESCAPED" if result > 0 else "refused")
