# tries: to have a rename leave a device behind (RENAME_WHITEOUT)
# outcome: finished
# says: Operation not permitted
import ctypes
import os

open("here", "w").close()
libc = ctypes.CDLL(None, use_errno=True)
result = libc.renameat2(-100, b"here", -100, b"there", 4)
print("ESCAPED" if result == 0 and os.path.exists("here") else os.strerror(ctypes.get_errno()))
