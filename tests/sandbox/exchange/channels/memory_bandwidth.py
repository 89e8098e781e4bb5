# by: how fast memory is, which the processors share
# expected: open
large = bytearray(40_000_000)
part = memoryview(large)


def act(bit, k, end):
    while bit and time.time() < end:
        part[:20_000_000] = part[20_000_000:]


def look(k, begin, end):
    wait(begin)
    rounds = 0
    while time.time() < end - SLOT / 10:
        part[:1_000_000] = part[20_000_000:21_000_000]
        rounds += 1
    return -float(rounds)
