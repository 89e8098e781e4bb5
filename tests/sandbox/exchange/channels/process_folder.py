# by: what /proc says of others to who only asks for a file's size: how many descriptors they have
# expected: closed, but open without pid namespaces
near = range(max(1, os.getpid() - 200), os.getpid() + 200)
kept = []


def act(bit, k, end):
    while kept:
        os.close(kept.pop())
    kept.extend(os.open("/dev/null", os.O_RDONLY) for _ in range(100 * bit))


def look(k, begin, end):
    wait((begin + end) / 2)
    total = 0
    for number in near:
        with contextlib.suppress(OSError):
            total += os.stat(f"/proc/{number}/fd").st_size
    return float(total)
