# tries: to overflow the parser with unary minus
# outcome: raised, out_of_memory, crashed
# twin: dies
eval("-" * 10**6 + "1")
