# tries: a list that grows for ever
# outcome: out_of_memory
# deadline: 30
MEBIBYTES = 10**12  # twin: 600
kept = []
for _ in range(MEBIBYTES):
    kept.append(bytearray(1 << 20))
    if len(kept) == 600:
        print("ESCAPED")
