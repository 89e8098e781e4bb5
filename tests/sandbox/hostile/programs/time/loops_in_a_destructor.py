# tries: to go on in an object's destructor
# outcome: timed_out
# deadline: 0.5
# twin: endless
class Sticky:
    def __del__(self):
        while True:
            pass


sticky = Sticky()
del sticky
