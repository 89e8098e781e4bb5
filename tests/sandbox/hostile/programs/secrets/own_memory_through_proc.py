# tries: to write over its own read-only memory
# outcome: forbidden, raised
open("/proc/self/mem", "r+b").close()
print("ESCAPED")
