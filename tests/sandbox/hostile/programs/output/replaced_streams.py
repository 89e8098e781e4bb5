# tries: to take away the streams
# outcome: finished
# twin: none: this is about the server's own flush at the end
import sys

sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = None
