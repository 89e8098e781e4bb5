# tries: to turn a descriptor for a path alone (O_PATH) into one for reading
# outcome: finished
# says: refused
import os

try:
    path = os.open("/etc/passwd", os.O_PATH)
    os.close(os.open(f"/proc/self/fd/{path}", os.O_RDONLY))
    print("ESCAPED")
except OSError as error:
    print("refused", error)
