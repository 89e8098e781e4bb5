# by: how long the first read of a library's file takes, which is short if the other has read it: a bit for each file that nobody has read
# expected: open
def act(bit, k, end):
    if bit:
        with open(FILES[k], "rb") as file:
            file.read()


def look(k, begin, end):
    wait((begin + end) / 2)
    file = os.open(FILES[k], os.O_RDONLY)
    since = time.perf_counter()
    os.pread(file, 4096, 0)
    took = time.perf_counter() - since
    os.close(file)
    return -took
