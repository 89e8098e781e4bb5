# tries: half characters
# outcome: finished
# mark: "\udced\udca0\udc80"
import sys

sys.stdout.buffer.write("a\ud800b".encode("utf-8", "surrogatepass"))
sys.stdout.flush()
print("a\ud800b")
