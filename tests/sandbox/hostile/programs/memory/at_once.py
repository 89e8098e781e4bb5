# tries: a hundred gigabytes at once
# outcome: out_of_memory
# deadline: 30
BYTES = 10**11  # twin: 600 * 2**20
block = bytearray(BYTES)
print("ESCAPED")
