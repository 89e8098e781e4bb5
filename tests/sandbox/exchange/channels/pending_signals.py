# by: the number of pending signals that one user may have
# expected: closed, but open where runs share a uid
libc = ctypes.CDLL(None, use_errno=True)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN, signal.SIGRTMIN + 1})


def pend(number):
    return libc.syscall(234, os.getpid(), threading.get_native_id(), number) == 0


def take(number):
    while signal.sigtimedwait([number], 0):
        pass


def act(bit, k, end):
    while bit and pend(signal.SIGRTMIN):
        pass
    wait(end - SLOT / 10)
    take(signal.SIGRTMIN)


def look(k, begin, end):
    wait((begin + end) / 2)
    free = pend(signal.SIGRTMIN + 1)
    take(signal.SIGRTMIN + 1)
    return -float(free)
