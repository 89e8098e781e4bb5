# tries: to overflow the compiler with its own source
# outcome: raised, out_of_memory, crashed
# twin: dies
eval("(" * 100_000 + ")" * 100_000)
