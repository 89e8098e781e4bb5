# by: the free blocks of the file systems that both see
# expected: closed
def act(bit, k, end):
    with open("room", "wb") as file:
        file.write(bytes(bit * 2_000_000))


def look(k, begin, end):
    wait((begin + end) / 2)
    return float(sum(os.statvfs(place).f_bfree * 4096 for place in (".", "/")))
