# tries: ten gigabytes out of ten megabytes
# outcome: out_of_memory, timed_out
# deadline: 5
import bz2

TIMES = 5000  # twin: 30
kernel = bz2.compress(bytes(1 << 21))
plain = bz2.decompress(kernel * TIMES)
print("ESCAPED")
