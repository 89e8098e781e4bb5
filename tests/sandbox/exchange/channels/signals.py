# by: a signal to every process near
# expected: closed
came = []  # a signal that does nothing to who does not wait for it
signal.signal(signal.SIGURG, lambda *_: came.append(1))
near = [number for number in range(max(1, os.getpid() - 50), os.getpid() + 50) if number != os.getpid()]


def act(bit, k, end):
    for number in near * bit:
        with contextlib.suppress(OSError):
            os.kill(number, signal.SIGURG)


def look(k, begin, end):
    came.clear()
    wait(end)
    return float(len(came))
