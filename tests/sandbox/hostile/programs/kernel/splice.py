# tries: splice, through which read-only files were written to (CVE-2022-0847)
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
reader, writer = os.pipe()
reader2, writer2 = os.pipe()
os.write(writer, b'x')
result = libc.splice(reader, None, writer2, None, 1, 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
