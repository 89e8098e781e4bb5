# tries: to leave a full folder behind
# outcome: finished
# deadline: 30
# twin: none: nobody cleans up after a twin
import os

for count in range(1500):
    open(f"file{count}", "w").close()
    os.makedirs(f"folder{count % 500}/x/y", exist_ok=True)
