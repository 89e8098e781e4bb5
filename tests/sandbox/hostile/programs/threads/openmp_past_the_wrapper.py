# tries: OpenMP's own call for 512 threads, around torch
# outcome: finished, crashed, out_of_memory, raised
# runtimes: torch
# twin: none: it is the wrapper that is gone around here; where there are processors for it the threads start
import ctypes
import glob
import os

import torch

folder = os.path.join(os.path.dirname(torch.__file__), "lib")
(library, *_) = glob.glob(f"{folder}/libgomp*") or glob.glob(f"{folder}/libiomp*") or [None]
ctypes.CDLL(library).omp_set_num_threads(512)
torch.rand(3000, 3000) @ torch.rand(3000, 3000)
tasks = os.listdir("/proc/self/task") if os.path.exists("/proc/self/task/1") else []
print("ESCAPED" if len(tasks) > 500 else "few threads")
