# tries: the C library's system(3), past Python
# outcome: finished
import ctypes

ctypes.CDLL(None).system(b"echo ESC''APED")
