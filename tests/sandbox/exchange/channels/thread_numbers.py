# by: the numbers of new threads, where there is one pid namespace for all
# expected: closed, but open without pid namespaces
def number():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    return thread.native_id


def act(bit, k, end):
    while bit and time.time() < end:
        number()


def look(k, begin, end):
    wait(begin)
    before = number()
    wait(end)
    return float(number() - before)
