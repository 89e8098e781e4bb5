# by: the processor time of other processes, by their numbers (clock_gettime)
# expected: closed
near = [number for number in range(max(1, os.getpid() - 100), os.getpid() + 100) if number != os.getpid()]


def act(bit, k, end):
    while bit and time.time() < end:
        pass


def used():
    total = 0.0
    for number in near:
        with contextlib.suppress(OSError):
            total += time.clock_gettime(~number << 3 | 2)
    return total


def look(k, begin, end):
    time.clock_gettime(~os.getpid() << 3 | 2)
    wait(begin)
    before = used()
    wait(end - SLOT / 10)
    return used() - before
