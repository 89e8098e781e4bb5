# by: how much of the processors is left
# expected: open
def burn(end):
    while time.time() < end:
        hashlib.sha256(bytes(100_000)).digest()


def act(bit, k, end):
    threads = [threading.Thread(target=burn, args=(end,)) for _ in range(4 * bit)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def look(k, begin, end):
    wait(begin)
    rounds = 0
    while time.time() < end - SLOT / 10:
        rounds += 1
    return -float(rounds)
