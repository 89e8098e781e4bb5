# tries: to close the streams
# outcome: finished
# twin: none: this is about the server's own flush at the end
import sys

sys.stdout.close()
sys.stderr.close()
