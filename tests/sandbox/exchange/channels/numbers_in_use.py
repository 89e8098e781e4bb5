# by: whether the numbers of processes and threads near one's own are in use (kill)
# expected: closed, but open without pid namespaces
go_on = threading.Event()
near = range(max(2, os.getpid() - 100), os.getpid() + 100)


def act(bit, k, end):
    go_on.clear()
    for _ in range(20 * bit):
        threading.Thread(target=go_on.wait).start()
    wait(end)
    go_on.set()


def in_use(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def look(k, begin, end):
    wait((begin + end) / 2)
    return float(sum(map(in_use, near)))
