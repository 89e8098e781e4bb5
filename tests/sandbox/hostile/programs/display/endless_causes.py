# tries: exceptions that are each other's cause
# outcome: raised
# twin: none: nobody follows them outside
first, second = ValueError("first"), ValueError("second")
first.__cause__, second.__cause__ = second, first
raise first
