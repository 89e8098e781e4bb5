# tries: to take root's rights on files
# outcome: finished
# twin: as root escapes
import ctypes

libc = ctypes.CDLL(None)
libc.setfsuid(12345)
print("ESCAPED" if libc.setfsuid(-1) == 12345 else "refused")
