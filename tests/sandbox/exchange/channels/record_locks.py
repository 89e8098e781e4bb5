# by: a POSIX lock on a library's file
# expected: closed
LOCK = "hhqqi4x"
library = os.open(os.__file__, os.O_RDONLY)


def act(bit, k, end):
    fcntl.fcntl(library, fcntl.F_SETLK, struct.pack(LOCK, fcntl.F_RDLCK if bit else fcntl.F_UNLCK, 0, 7, 1, 0))


def look(k, begin, end):
    wait((begin + end) / 2)
    return float(struct.unpack(LOCK, fcntl.fcntl(library, fcntl.F_GETLK, struct.pack(LOCK, fcntl.F_WRLCK, 0, 7, 1, 0)))[0] != fcntl.F_UNLCK)
