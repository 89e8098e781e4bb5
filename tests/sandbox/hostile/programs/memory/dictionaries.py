# tries: many small objects instead of one large one
# outcome: out_of_memory
# deadline: 30
OBJECTS = 10**12  # twin: 10**6
kept = [dict(a=i) for i in range(OBJECTS)]
print("ESCAPED")
