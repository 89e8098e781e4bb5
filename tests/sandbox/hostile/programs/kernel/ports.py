# tries: the machine's ports
# outcome: finished
# says: Operation not permitted
# machine: x86_64
# twin: none: this kernel was built without ports for programs
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.iopl(3)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
