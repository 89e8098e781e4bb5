# by: how long it takes to open a file that the other opens all the time
# expected: open
def act(bit, k, end):
    while bit and time.time() < end:
        os.close(os.open(os.__file__, os.O_RDONLY))


def look(k, begin, end):
    wait(begin)
    rounds = 0
    while time.time() < end - SLOT / 10:
        os.close(os.open(os.__file__, os.O_RDONLY))
        rounds += 1
    return -float(rounds)
