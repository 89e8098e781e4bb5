"""Programs whose first run in a process takes longer than the second, unless the zygote has warmed them up."""

FIRST_TIMES = {
    "SGD": """\
import torch
w = torch.ones(3, requires_grad=True)
o = torch.optim.SGD([w], lr=0.1, momentum=0.9)
w.sum().backward()
o.step()
o.zero_grad()
""",
    "Adam": """\
import torch
m = torch.nn.Linear(3, 1)
o = torch.optim.Adam(m.parameters())
for _ in range(3):
    o.zero_grad()
    m(torch.ones(2, 3)).sum().backward()
    o.step()
""",
    "AdamW and a scheduler": """\
import torch
m = torch.nn.Linear(3, 1)
o = torch.optim.AdamW(m.parameters())
s = torch.optim.lr_scheduler.CosineAnnealingLR(o, 10)
m(torch.ones(2, 3)).sum().backward()
o.step()
s.step()
""",
    "LBFGS": """\
import torch
w = torch.ones(3, requires_grad=True)
o = torch.optim.LBFGS([w])

def c():
    o.zero_grad()
    l = (w ** 2).sum()
    l.backward()
    return l
o.step(c)
""",
    "a differentiable optimizer": """\
import torch
w = torch.ones(3, requires_grad=True)
o = torch.optim.SGD([w], lr=0.1, differentiable=True)
w.grad = torch.ones(3)
""",
    "torch.func.grad": """\
import torch
from torch.func import grad
grad(lambda x: (x ** 2).sum())(torch.ones(3))
""",
    "vmap": """\
import torch
from torch.func import vmap, grad
vmap(grad(lambda x: x.sin().sum()))(torch.ones(3, 2))
""",
    "torch.func.jvp": """\
import torch
torch.func.jvp(torch.sin, (torch.ones(3),), (torch.ones(3),))
""",
    "jacrev, jacfwd, hessian": """\
import torch
torch.func.jacrev(torch.sin)(torch.ones(3))
torch.func.jacfwd(torch.sin)(torch.ones(3))
torch.func.hessian(lambda x: (x ** 3).sum())(torch.ones(3))
""",
    "functional_call": """\
import torch
m = torch.nn.Linear(3, 1)
torch.func.functional_call(m, dict(m.named_parameters()), (torch.ones(2, 3),)).sum().backward()
""",
    "torch.autograd.functional": """\
import torch
from torch.autograd.functional import jacobian, hessian, vjp, jvp
jacobian(torch.sin, torch.ones(3))
hessian(lambda x: (x ** 3).sum(), torch.ones(3))
""",
    "forward mode": """\
import torch
import torch.autograd.forward_ad as f
with f.dual_level():
    f.unpack_dual(f.make_dual(torch.ones(3), torch.ones(3)).sin())
""",
    "LSTM": """\
import torch
m = torch.nn.LSTM(3, 4)
m(torch.ones(5, 2, 3))[0].sum().backward()
""",
    "a convolution": """\
import torch
from torch import nn
m = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 10))
torch.nn.functional.cross_entropy(m(torch.rand(2, 1, 8, 8)), torch.tensor([1, 2])).backward()
""",
    "a transformer layer": """\
import torch
m = torch.nn.TransformerEncoderLayer(8, 2, batch_first=True)
m(torch.rand(2, 5, 8)).sum().backward()
""",
    "torch.linalg": """\
import torch
a = torch.rand(4, 4, dtype=torch.double) + 4 * torch.eye(4)
a.requires_grad_()
(torch.linalg.inv(a) + torch.linalg.svd(a)[0] + torch.linalg.qr(a)[0] + torch.linalg.solve(a, a)).sum().backward()
torch.linalg.eigh(a @ a.T)
""",
    "attention": """\
import torch
q = torch.rand(1, 2, 4, 8, requires_grad=True)
torch.nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True).sum().backward()
""",
    "checkpoint": """\
import torch
from torch.utils.checkpoint import checkpoint
x = torch.ones(3, requires_grad=True)
checkpoint(torch.sin, x, use_reentrant=False).sum().backward()
checkpoint(torch.sin, x, use_reentrant=True).sum().backward()
""",
    "DataLoader": """\
import torch
from torch.utils.data import DataLoader, TensorDataset
for x, y in DataLoader(TensorDataset(torch.rand(8, 2), torch.rand(8)), batch_size=4, shuffle=True):
    x.sum()
""",
    "numpy.linalg": """\
import numpy as np
a = np.random.rand(4, 4)
np.linalg.inv(a)
np.linalg.svd(a)
np.linalg.eig(a)
np.fft.fft(a)
np.random.default_rng(0).normal(size=3)
""",
    "a figure": """\
import matplotlib.pyplot as plt
plt.plot([1, 2, 3])
plt.xlabel('x')
plt.title('y')
plt.show()
""",
    "figures of several kinds": """\
import matplotlib.pyplot as plt
import numpy as np
f, a = plt.subplots(2, 3)
a = a.ravel()
a[0].scatter([1, 2], [3, 4])
a[1].hist(np.random.rand(50))
a[2].bar([1, 2], [3, 4])
a[3].contour(np.random.rand(5, 5))
a[4].quiver([1, 2], [1, 2], [1, 1], [1, 0])
a[5].semilogy([1, 10, 100])
f.colorbar(a[4].imshow(np.eye(3)))
f.tight_layout()
plt.show()
""",
    "a custom operator": """\
import torch

@torch.library.custom_op('w::f' + str(id(object())), mutates_args=())
def f(x: torch.Tensor) -> torch.Tensor:
    return x.sin()
f(torch.ones(3))
""",
    "symbolic_trace": """\
import torch, torch.fx
torch.fx.symbolic_trace(torch.nn.Linear(2, 2))
""",
    "distributions": """\
import torch
d = torch.distributions.Normal(torch.zeros(3, requires_grad=True), 1.0)
d.log_prob(d.rsample()).sum().backward()
""",
    "hooks": """\
import torch
x = torch.ones(3, requires_grad=True)
x.register_hook(lambda g: g * 2)
m = torch.nn.Linear(3, 1)
m.register_full_backward_hook(lambda *a: None)
m(x).backward()
with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
    x.sin().sum().backward()
""",
    "anomaly mode": """\
import torch
x = torch.ones(3, requires_grad=True)
with torch.autograd.detect_anomaly():
    x.sin().sum().backward()
""",
    "autocast": """\
import torch
with torch.autocast('cpu', dtype=torch.bfloat16):
    (torch.rand(3, 3, requires_grad=True) @ torch.rand(3, 3)).sum().backward()
""",
    "sparse tensors": """\
import torch
x = torch.eye(3).to_sparse().requires_grad_()
(x @ torch.ones(3, 3)).sum().backward()
""",
    "fft and einsum": """\
import torch
x = torch.rand(4, 4, requires_grad=True)
(torch.fft.rfft(x).abs().sum() + torch.einsum('ij,jk->ik', x, x).sum()).backward()
""",
    "clipping and parametrizations": """\
import torch
from torch.nn.utils import clip_grad_norm_, parametrizations, rnn
m = torch.nn.Linear(3, 3)
m(torch.ones(3)).sum().backward()
clip_grad_norm_(m.parameters(), 1.0)
parametrizations.spectral_norm(m)(torch.ones(3))
""",
    "an embedding": """\
import torch
torch.nn.Embedding(5, 3)(torch.tensor([1, 2])).sum().backward()
""",
    "gradcheck in forward mode": """\
import torch
torch.autograd.gradcheck(torch.sin, torch.ones(2, dtype=torch.double, requires_grad=True), check_forward_ad=True, check_batched_grad=True)
""",
    "a Function under vmap": """\
import torch

class F(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * 2

    @staticmethod
    def setup_context(c, i, o):
        pass

    @staticmethod
    def backward(c, g):
        return g * 2
torch.func.vmap(torch.func.grad(lambda x: F.apply(x).sum()))(torch.ones(3, 2))
""",
    "the other optimizers": """\
import torch
for name in 'Adagrad RMSprop NAdam Adamax RAdam Adadelta Rprop ASGD'.split():
    w = torch.ones(3, requires_grad=True)
    o = getattr(torch.optim, name)([w])
    w.sum().backward()
    o.step()
""",
    "averaged weights": """\
import torch
from torch.optim.swa_utils import AveragedModel
m = torch.nn.Linear(2, 2)
a = AveragedModel(m)
a.update_parameters(m)
""",
    "an optimizer's state": """\
import torch
m = torch.nn.Linear(2, 2)
o = torch.optim.Adam(m.parameters())
m(torch.ones(2)).sum().backward()
o.step()
o.load_state_dict(o.state_dict())
""",
    "printing modules and tensors": """\
import torch
print(torch.nn.LSTM(2, 2), torch.rand(30, 30), torch.nn.Parameter(torch.ones(2)))
""",
}
