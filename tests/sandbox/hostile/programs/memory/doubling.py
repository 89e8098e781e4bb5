# tries: a string that doubles
# outcome: out_of_memory
# deadline: 30
TIMES = 60  # twin: 29
text = "x" * 2
for _ in range(TIMES):
    text += text
print("ESCAPED")
