# tries: to go on where its value is shown
# outcome: timed_out
# deadline: 0.5
# twin: endless
class Endless:
    def __repr__(self):
        while True:
            pass


TWIN = False  # twin: True
if TWIN:
    repr(Endless())
Endless()
