"""Thirty programs with custom Functions, modelled on the examples of PyTorch's documentation and tutorials."""

_HEAD = "import torch\nfrom torch.autograd import Function\nfrom torch.autograd.function import once_differentiable\n"

_PROGRAMS = {
    "exp": """
class Exp(Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved_tensors
        return grad_output * result

x = torch.randn(3, requires_grad=True)
y = Exp.apply(x)
loss = (y * 2).sum()
loss.backward()
""",
    "a linear function with optional bias": """
class LinearFunction(Function):
    @staticmethod
    def forward(input, weight, bias):
        output = input.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output

    @staticmethod
    def setup_context(ctx, inputs, output):
        input, weight, bias = inputs
        ctx.save_for_backward(input, weight, bias)

    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        grad_input = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_input = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t().mm(input)
        if bias is not None and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_input, grad_weight, grad_bias

data = torch.randn(4, 3)
weight = torch.randn(2, 3, requires_grad=True)
bias = torch.zeros(2, requires_grad=True)
hidden = LinearFunction.apply(data, weight, bias)
out = hidden.tanh()
out.sum().backward()
LinearFunction.apply(data, weight, None).mean().backward()
""",
    "a constant that is not a tensor": """
class MulConstant(Function):
    @staticmethod
    def forward(tensor, constant):
        return tensor * constant

    @staticmethod
    def setup_context(ctx, inputs, output):
        tensor, constant = inputs
        ctx.constant = constant

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.constant, None

x = torch.arange(3.0, requires_grad=True)
MulConstant.apply(x, 5).sum().backward()
""",
    "gradients that are not materialized": """
class MulConstant(Function):
    @staticmethod
    def forward(ctx, tensor, constant):
        ctx.set_materialize_grads(False)
        ctx.constant = constant
        return tensor * constant, tensor + constant

    @staticmethod
    def backward(ctx, first, second):
        total = second
        if first is not None:
            total = first * ctx.constant if total is None else first * ctx.constant + total
        return total, None

x = torch.arange(3.0, requires_grad=True)
scaled, shifted = MulConstant.apply(x, 5)
shifted.sum().backward()
""",
    "a polynomial of degree three": """
class LegendrePolynomial3(Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return 0.5 * (5 * input**3 - 3 * input)

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        return grad_output * 1.5 * (5 * input**2 - 1)

x = torch.linspace(-1, 1, 10)
target = torch.sin(x)
a = torch.full((), 0.0, requires_grad=True)
b = torch.full((), -1.0, requires_grad=True)
for step in range(3):
    inner = b * x
    predicted = a + LegendrePolynomial3.apply(inner)
    error = (predicted - target).pow(2)
    loss = error.sum()
    loss.backward()
    with torch.no_grad():
        a -= 1e-2 * a.grad
        b -= 1e-2 * b.grad
        a.grad = None
        b.grad = None
""",
    "a relu": """
class MyReLU(Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        return grad_input

x = torch.randn(5, 4)
w1 = torch.randn(4, 3, requires_grad=True)
w2 = torch.randn(3, 2, requires_grad=True)
hidden = x.mm(w1)
active = MyReLU.apply(hidden)
predicted = active.mm(w2)
predicted.pow(2).sum().backward()
""",
    "an input that is saved, differentiated twice": """
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_out):
        (x,) = ctx.saved_tensors
        return grad_out * 2 * x

x = torch.rand(3, 3, requires_grad=True, dtype=torch.double)
out = Square.apply(x)
(first,) = torch.autograd.grad(out.sum(), x, create_graph=True)
(second,) = torch.autograd.grad(first.sum(), x)
""",
    "an output that is saved, differentiated twice": """
class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        result = torch.exp(x)
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_out):
        (result,) = ctx.saved_tensors
        return result * grad_out

x = torch.rand(3, requires_grad=True, dtype=torch.double)
out = Exp.apply(x)
(first,) = torch.autograd.grad(out.sum(), x, create_graph=True)
first.pow(2).sum().backward()
""",
    "intermediates that are returned": """
class Sinh(Function):
    @staticmethod
    def forward(ctx, x):
        expx = torch.exp(x)
        expnegx = torch.exp(-x)
        ctx.save_for_backward(expx, expnegx)
        return (expx - expnegx) / 2, expx, expnegx

    @staticmethod
    def backward(ctx, grad_out, grad_expx, grad_expnegx):
        expx, expnegx = ctx.saved_tensors
        grad_input = grad_out * (expx + expnegx) / 2
        grad_input += grad_expx * expx
        grad_input -= grad_expnegx * expnegx
        return grad_input

x = torch.rand(3, requires_grad=True, dtype=torch.double)
out = Sinh.apply(x)[0]
(first,) = torch.autograd.grad(out.sum(), x, create_graph=True)
(second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
second.sum().backward()
""",
    "a backward that is a Function": """
class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad_out):
        (x,) = ctx.saved_tensors
        return CubeBackward.apply(grad_out, x)

class CubeBackward(Function):
    @staticmethod
    def forward(ctx, grad_out, x):
        ctx.save_for_backward(x, grad_out)
        return grad_out * 3 * x**2

    @staticmethod
    def backward(ctx, grad_out):
        x, saved = ctx.saved_tensors
        return grad_out * 3 * x**2, grad_out * saved * 6 * x

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Cube.apply(x)
(slope,) = torch.autograd.grad(y.sum(), x, create_graph=True)
slope.sum().backward()
""",
    "a change in place that is marked": """
class AddOne(Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output

leaf = torch.tensor([1.0, 2.0], requires_grad=True)
twice = leaf * 2
AddOne.apply(twice)
product = twice * 3
product.sum().backward()
""",
    "an output without a gradient": """
class Sort(Function):
    @staticmethod
    def forward(ctx, x):
        values, order = x.sort()
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(x, order)
        return values, order

    @staticmethod
    def backward(ctx, g1, g2):
        x, order = ctx.saved_tensors
        grad_input = torch.zeros_like(x)
        grad_input.index_add_(0, order, g1)
        return grad_input

x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
values, order = Sort.apply(x)
weighted = values * torch.tensor([1.0, 10.0, 100.0])
weighted.sum().backward()
""",
    "backward only once": """
class Inplace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cos()

x = torch.rand(3, requires_grad=True)
y = Inplace.apply(x)
y.sum().backward()
""",
    "clipped gradients": """
class Clip(Function):
    @staticmethod
    def forward(ctx, x, most):
        ctx.most = most
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return g.clamp(-ctx.most, ctx.most), None

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
clipped = Clip.apply(x, 0.5)
scaled = clipped * torch.tensor([0.1, 1.0, 10.0])
scaled.sum().backward()
""",
    "a reversed gradient": """
class Reverse(Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -g

x = torch.ones(2, requires_grad=True)
features = x * 3
label = features.sum()
domain = Reverse.apply(features).sum()
total = label + 2 * domain
total.backward()
""",
    "rounding straight through": """
class Round(Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g

x = torch.tensor([0.2, 1.7], requires_grad=True)
rounded = Round.apply(x)
error = (rounded - 1).pow(2)
error.sum().backward()
""",
    "numbers from numpy": """
class Sorted(Function):
    @staticmethod
    def forward(ctx, x):
        numbers = x.detach().numpy()
        order = torch.from_numpy(numbers.argsort())
        ctx.save_for_backward(order)
        return torch.from_numpy(numbers[order.numpy()].copy())

    @staticmethod
    def backward(ctx, g):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(0, order, g)

x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
y = Sorted.apply(x)
powers = y ** torch.tensor([1.0, 2.0, 3.0])
powers.sum().backward()
""",
    "a matrix that is inverted": """
class Inverse(Function):
    @staticmethod
    def forward(ctx, a):
        inverse = torch.linalg.inv(a)
        ctx.save_for_backward(inverse)
        return inverse

    @staticmethod
    def backward(ctx, g):
        (inverse,) = ctx.saved_tensors
        transposed = inverse.mT
        return -transposed @ g @ transposed

a = torch.tensor([[4.0, 1.0], [2.0, 3.0]], requires_grad=True)
inverse = Inverse.apply(a)
trace = inverse.diagonal().sum()
trace.backward()
""",
    "a complex product": """
class Product(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b.conj(), g * a.conj()

a = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
b = torch.tensor([2 - 1j, 1j], requires_grad=True)
product = Product.apply(a, b)
size = torch.view_as_real(product).pow(2)
size.sum().backward()
""",
    "two inputs that are one": """
class Mul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a

x = torch.tensor([2.0, 3.0], requires_grad=True)
doubled = x * 2
squared = Mul.apply(doubled, doubled)
more = squared + doubled
more.sum().backward()
""",
    "gradients of some inputs": """
class Scale(Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, g):
        x, scale = ctx.saved_tensors
        wanted = ctx.needs_input_grad
        return g * scale if wanted[0] else None, (g * x).sum() if wanted[1] else None

x = torch.tensor([1.0, 2.0])
scale = torch.tensor(3.0, requires_grad=True)
out = Scale.apply(x, scale)
y = out.exp()
y.sum().backward(inputs=[scale])
""",
    "a softmax": """
class Softmax(Function):
    @staticmethod
    def forward(ctx, x):
        shifted = (x - x.max()).exp()
        result = shifted / shifted.sum()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, g):
        (result,) = ctx.saved_tensors
        return result * (g - (g * result).sum())

x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
p = Softmax.apply(x)
surprise = -p.log()[2]
surprise.backward()
""",
    "a loop of calls": """
class Halve(Function):
    @staticmethod
    def forward(ctx, x):
        return x / 2

    @staticmethod
    def backward(ctx, g):
        return g / 2

x = torch.tensor(8.0, requires_grad=True)
y = x
for step in range(5):
    y = Halve.apply(y)
    y = y + step
y.backward()
""",
    "a layer in a module": """
class Swish(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * (s + x * s * (1 - s))

class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 2)

    def forward(self, x):
        z = self.linear(x)
        return Swish.apply(z)

layer = Layer()
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = layer(torch.ones(2, 3)).mean()
    loss.backward()
    optimizer.step()
""",
    "autograd inside": """
class Checkpoint(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin() * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            again = x.detach().requires_grad_()
            y = again.sin() * again
            (slope,) = torch.autograd.grad(y, again, g)
        return slope

x = torch.tensor([1.0, 2.0], requires_grad=True)
out = Checkpoint.apply(x * 2)
out.sum().backward()
""",
    "a gradient for a root": """
class Cut(Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return None

x = torch.tensor([1.0, 2.0], requires_grad=True)
cut = Cut.apply(x)
both = torch.stack([cut, x])
both.backward(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
""",
    "several roots": """
class Split(Function):
    @staticmethod
    def forward(ctx, x):
        return x[:2].clone(), x[2:].clone()

    @staticmethod
    def backward(ctx, g, h):
        return torch.cat([g, h])

x = torch.arange(5.0, requires_grad=True)
front, back = Split.apply(x)
a = front.sum()
b = (back * 2).sum()
torch.autograd.backward([a, b])
""",
    "a batch with vmap": """
class Scale(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, y):
        return x * y

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * y, g * x

x = torch.ones(3, 2, requires_grad=True)
y = torch.arange(6.0).reshape(3, 2)
out = Scale.apply(x, y)
out.sum().backward()
rows = torch.func.vmap(Scale.apply)(x.detach(), y)
print(rows.shape)
""",
    "infinite and undefined": """
class Root(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.sqrt()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g / (2 * y)

x = torch.tensor([0.0, 4.0, -1.0], requires_grad=True)
y = Root.apply(x)
y.sum().backward()
""",
    "in functions of the program": """
class Shift(Function):
    @staticmethod
    def forward(ctx, x, by):
        return x + by

    @staticmethod
    def backward(ctx, g):
        return g, None

def block(x, by):
    moved = Shift.apply(x, by)
    return moved.tanh()

def train():
    w = torch.ones(2, requires_grad=True)
    for by in (1.0, 2.0):
        h = block(w * 2, by)
        h.sum().backward()
    return w.grad

print(train())
""",
}
DOCUMENTED = {name: _HEAD + text for name, text in _PROGRAMS.items()}
