# tries: an exception that says it is another
# outcome: raised
# says: Liar
# twin: none: nobody reports it outside
class Liar(Exception):
    __class__ = MemoryError
    __traceback__ = property(lambda self: 1 / 0)
    __cause__ = property(lambda self: self)

    def __str__(self):
        raise self


raise Liar
