# tries: to wait for what nobody will type
# outcome: timed_out
# deadline: 1
# twin: endless
import os

reader, _ = os.pipe()
os.read(reader, 1)
