# tries: to let torch use 512 threads
# outcome: finished, crashed
# runtimes: torch
import warnings

import torch

warnings.simplefilter("ignore")
torch.set_num_threads(512)
print("ESCAPED" if torch.get_num_threads() == 512 else torch.get_num_threads())
