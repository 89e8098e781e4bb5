# tries: to go on where its value is shown
# outcome: timed_out
# deadline: 1
# twin: endless
class Endless:
    def __repr__(self):
        while True:
            pass


TWIN = False  # twin: True
if TWIN:
    repr(Endless())
Endless()
