# tries: a table of descriptors for each thread (close_range with CLOSE_RANGE_UNSHARE), so more of them than the limit
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os
import threading

CLOSE_RANGE, CLOSE_RANGE_UNSHARE = 436, 2
libc = ctypes.CDLL(None, use_errno=True)
opened = []


def open_many():
    if libc.syscall(CLOSE_RANGE, ctypes.c_uint(1000), ctypes.c_uint(1000), ctypes.c_uint(CLOSE_RANGE_UNSHARE)):
        print(os.strerror(ctypes.get_errno()))
        return
    opened.append(sum(1 for _ in range(200) if os.open("/dev/null", os.O_RDONLY)))


threads = [threading.Thread(target=open_many) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("ESCAPED" if sum(opened) > 400 else opened)
