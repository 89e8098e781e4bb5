# tries: to answer its own system calls (a seccomp listener)
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(38, 1, 0, 0, 0)
instructions = ctypes.create_string_buffer(b'\x06\0\0\0\0\0\xff\x7f', 8)


class Program(ctypes.Structure):
    _fields_ = (('length', ctypes.c_ushort), ('instructions', ctypes.c_void_p))


program = Program(1, ctypes.addressof(instructions))
result = libc.syscall(317, 1, 8, ctypes.byref(program))
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
