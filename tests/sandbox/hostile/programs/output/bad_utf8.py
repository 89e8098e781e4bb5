# tries: bytes that are no text
# outcome: finished
# says: �
# mark: "\udcff"
import os

os.write(1, b"\xff\xfe\xc3\x28\xed\xa0\x80\n")
