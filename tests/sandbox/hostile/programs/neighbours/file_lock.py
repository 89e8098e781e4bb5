# tries: to lock a library's file for all (flock), so that others see it
# outcome: finished
# says: refused
import fcntl
import os

first, second = (os.open(os.__file__, os.O_RDONLY) for _ in range(2))
try:
    fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("ESCAPED")
except OSError as error:
    print("refused", error)
