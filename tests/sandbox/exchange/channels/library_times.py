# by: the time of a library's file, which the first read of a day changes (relatime) and anybody may ask for
# expected: closed, but open without a minimal root where file systems keep that time
def act(bit, k, end):
    if bit:
        with open(FILES[k], "rb") as file:
            file.read()


def look(k, begin, end):
    before = os.stat(FILES[k]).st_atime_ns
    wait(end)
    return float(os.stat(FILES[k]).st_atime_ns != before)
