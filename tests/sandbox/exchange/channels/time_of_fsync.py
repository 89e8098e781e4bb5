# by: how long it takes until a file is on the disk
# expected: closed, but open where the scratch is on a disk
file = os.open("synced", os.O_RDWR | os.O_CREAT)


def act(bit, k, end):
    while bit and time.time() < end:
        os.pwrite(file, os.urandom(4096), 0)
        os.fsync(file)


def look(k, begin, end):
    wait(begin)
    since = time.perf_counter()
    os.pwrite(file, b"x", 0)
    os.fsync(file)
    return time.perf_counter() - since
