# by: a file in a folder that both can name
# expected: closed
PLACES = ("/tmp", "/dev/shm", "/var/tmp", "/scratch/..", "..", "/run", os.path.dirname(os.__file__))


def act(bit, k, end):
    for place in PLACES:
        with contextlib.suppress(OSError):
            os.close(os.open(f"{place}/exchange", os.O_CREAT | os.O_WRONLY, 0o666)) if bit else os.unlink(f"{place}/exchange")


atexit.register(act, 0, 0, 0)


def look(k, begin, end):
    wait((begin + end) / 2)
    return sum(os.path.exists(f"{place}/exchange") for place in PLACES)
