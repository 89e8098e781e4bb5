# tries: a number of a hundred gigabytes
# outcome: out_of_memory
# deadline: 30
BITS = 10**12  # twin: 2**23 * 600
number = 1 << BITS
print("ESCAPED")
