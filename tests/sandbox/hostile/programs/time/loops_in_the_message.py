# tries: to go on where its exception's message is read
# outcome: timed_out
# deadline: 0.5
# twin: endless
class Endless(Exception):
    def __str__(self):
        while True:
            pass


TWIN = False  # twin: True
if TWIN:
    str(Endless())
raise Endless
