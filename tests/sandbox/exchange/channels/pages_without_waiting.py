# by: whether a library's file is in the page cache (preadv2 with RWF_NOWAIT)
# expected: closed
def act(bit, k, end):
    if bit:
        with open(FILES[k], "rb") as file:
            file.read()


def look(k, begin, end):
    wait((begin + end) / 2)
    file = os.open(FILES[k], os.O_RDONLY)
    try:
        return float(os.preadv(file, [bytearray(4096)], 0, os.RWF_NOWAIT) > 0)
    except BlockingIOError:
        return 0.0
    finally:
        os.close(file)
