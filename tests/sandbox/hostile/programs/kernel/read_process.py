# tries: to read another process's memory (process_vm_readv)
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
block = ctypes.create_string_buffer(8)
span = (ctypes.c_size_t * 2)(ctypes.addressof(block), 8)
result = libc.process_vm_readv(os.getpid(), span, 1, span, 1, 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
