# tries: a value whose text takes all memory
# outcome: output_limit, out_of_memory, finished
CHARACTERS = 10**8  # twin: 10**6


class Long:
    def __repr__(self):
        return "ESCAPED" * CHARACTERS


TWIN = False  # twin: True
if TWIN:
    print(repr(Long()))
Long()
