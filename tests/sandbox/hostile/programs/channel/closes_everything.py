# tries: to live on without any descriptor
# outcome: crashed
# twin: endless
import os
import time

os.closerange(0, 256)
time.sleep(60)
