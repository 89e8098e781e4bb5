# tries: names that a cleaner's shell would trip over
# outcome: finished
# twin: none: nobody cleans up after a twin
import os

for name in (b"-rf", b"a\nb", b"\xff\xfe", b"*", b"$(id)", b" ", b"...", b".gone-1-2", b"x" * 255):
    open(name, "w").close()
    os.makedirs(b"folder" + name[:200], exist_ok=True)
