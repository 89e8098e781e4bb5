# tries: a second name for a file that is not its own
# outcome: finished
# says: refused
# twin: as root escapes
import os

for path in (os.__file__, "/etc/hostname", "/etc/passwd", "/usr/lib/os-release", "/etc/ld.so.cache"):
    try:
        os.link(path, "link")
        print("ESCAPED")
        break
    except OSError as error:
        print("refused", error)
