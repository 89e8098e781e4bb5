# tries: to go on taking memory after each MemoryError
# outcome: timed_out, out_of_memory
# deadline: 1
# twin: endless
kept = []
while True:
    try:
        kept.append(bytearray(1 << 16))
    except MemoryError:
        pass
    if len(kept) > 16 * 600:
        kept.clear()
        print("ESC" + "APED")
