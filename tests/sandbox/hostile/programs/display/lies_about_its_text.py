# tries: a text that is none
# outcome: finished, raised
# twin: none: nobody shows a value outside
class Liar:
    def __repr__(self):
        return 42

    def __str__(self):
        return b"bytes"

    def __class__(self):
        return dict


Liar()
