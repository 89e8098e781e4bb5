# tries: a message of a gigabyte
# outcome: raised, out_of_memory, output_limit
# mark: "END"
CHARACTERS = 10**8  # twin: 10**6
raise ValueError("x" * CHARACTERS + "END")
