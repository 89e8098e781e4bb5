# by: the inode numbers of new files, where both write to one file system
# expected: closed, but open without a minimal root
def number():
    with open("numbered", "w") as file:
        found = os.fstat(file.fileno()).st_ino
    os.unlink("numbered")
    return found


def act(bit, k, end):
    while bit and time.time() < end:
        number()


def look(k, begin, end):
    wait(begin)
    before = number()
    wait(end)
    return float(number() - before)
