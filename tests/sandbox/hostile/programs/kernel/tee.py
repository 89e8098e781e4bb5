# tries: to double a pipe's pages
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
reader, writer = os.pipe()
reader2, writer2 = os.pipe()
os.write(writer, b'x')
result = libc.tee(reader, writer2, 1, 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
