# by: the inode numbers of new pipes, which the kernel counts for the whole machine
# expected: open
def number():
    ends = os.pipe()
    found = os.fstat(ends[0]).st_ino
    for descriptor in ends:
        os.close(descriptor)
    return found


def act(bit, k, end):
    while bit and time.time() < end:
        number()


def look(k, begin, end):
    wait(begin)
    last = before = number()
    rounds = 0
    while time.time() < end - SLOT / 10:
        last, rounds = number(), rounds + 1
    return float(last - before - rounds)  # each processor takes 1,024 numbers at a time
