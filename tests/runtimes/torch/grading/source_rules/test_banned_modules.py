"""Where a name is banned, only listed modules are used, each by its own name."""

import pytest

from tests.runtimes.torch.grading.source_rules.refusals import WITHOUT_AUTOGRAD, reason

MODULES = [  # of torch that are not on the list
    "from torch.distributed.pipelining.stage import stage_backward",
    "import torch\ny = torch.distributed.pipelining.stage.stage_backward(x, None, [x])",
    "from torch.distributions import ExponentialFamily",
    "import torch\nclass A(torch.distributions.Poisson):\n    pass",
    "import torch as t\nfamily = t.distributions",
    "from torch import distributions as d",
    "import torch.distributions",
    "from torch import nn\nnn.utils.parametrizations",
    "from torch.distributions.kl import kl_divergence",
    "from torch.ao.quantization.utils import getattr_from_fqn",
    "from torch.ao.pruning.sparsifier.utils import fqn_to_module",
    "from torch import ao",
    "from torch.utils.data.datapipes.dataframe.dataframes import CaptureGetAttr",
    "import torch.utils.data",
    "from torch import onnx",
    "import torch\nhidden = [torch]\nhidden[0].distributions.Poisson",
    "import torch\nhidden = [torch]\nhidden[0].utils.data",
    "import torch\ndef f(t):\n    return t.distributions\nf(torch)",
    "from torchviz.dot import torch as t\ny = t.distributions.Poisson",
    "from torch.nn.functional import math",
    "import torch\nmatch torch:\n    case object(distributions=d):\n        pass",
    "import torch\ny = getattr(torch, 'distributions')",
]
INNER = [  # modules of others than torch
    "import tqdm\ny = tqdm.utils.ObjectWrapper(x).wrapper_getattr(name)",
    "from tqdm.utils import ObjectWrapper",
    "from tqdm import utils",
    "import tqdm.utils",
    "import contextlib\ncontextlib.os.environ",
    "from textwrap import re",
    "import numpy as np\nnp.matrixlib.bmat('A')",
    "import matplotlib.cbook",
    "from matplotlib.pyplot import cbook",
]
USED_AS_VALUES = [
    "import dataclasses\nhidden = [dataclasses]\nclass A:\n    def __init__(self):\n        self._create_fn = 1\nhidden[0]._create_fn('f')",
    "import math\nf(math)",
    "from numpy import *\nf(linalg)",
    "import math\nf(other=math)",
    "import math\nf(*[math])",
    "import math\ndef f(m=math):\n    return m",
    "import math\ndef f():\n    return math",
    "import math\nf = lambda: math",
    "import math\nholder.module = math",
    "import math\nholder['module'] = math",
    "import math\nclass A:\n    module = math",
    "import math\nclass A:\n    if True:\n        module: object = math",
    "class A:\n    import math",
    "class A:\n    from torch import nn",
    "import math\nf(math if x else 1)",
    "import math\nf(x and math)",
    "import math\nf(m := math)",
    "import math\nm, n = [math, 1][::1]",
    "import math\nm = math\nf(m)",
    "import math\ny = math + taker",
    "import math\ny = taker == math",
    "import torch\nf(torch.nn.functional)",
    "import torch.nn.functional as F\nf(F)",
    "from torch import nn\nfor m in (nn,):\n    pass",
    "import torchviz\nf(torchviz.dot)",
    "import math\nwith f(math) as m:\n    pass",
    "import math\n@f(math)\ndef g():\n    pass",
]


@pytest.mark.parametrize("source", MODULES)
def test_only_listed_modules_of_torch_are_used(source: str) -> None:
    assert reason(source) == "ban-module"
    assert reason(source, *WITHOUT_AUTOGRAD) == "ban-module"


@pytest.mark.parametrize("source", INNER)
def test_only_listed_modules_of_others_are_used(source: str) -> None:
    assert reason(source) == "ban-inner-module"
    assert reason(source, "**") == "ban-inner-module"


@pytest.mark.parametrize("source", USED_AS_VALUES)
def test_modules_are_not_used_as_values(source: str) -> None:
    assert reason(source) == "ban-module-use"
