/** Programs to begin with in the playground. */

/** @typedef {{name: string, source: string, runtime?: string}} Example  without a runtime: PyTorch's */

const IMPORTS = `import torch
from torch.autograd import Function, gradcheck, gradgradcheck
from torchviz import make_dot
`;

const CHECK = (/** @type {string} */ name) => `
x = torch.randn(3, dtype=torch.double, requires_grad=True)
out = ${name}.apply(x)
(grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)
make_dot((grad_x, x, out), params={"grad_x": grad_x, "x": x, "out": out})

gradcheck(${name}.apply, x)
gradgradcheck(${name}.apply, x)
`;

/** @type {Example[]} */
export const EXAMPLES = [
  {
    name: "Autograd",
    source: `import torch
from torchviz import make_dot

x = torch.tensor([3.0, 4.0], requires_grad=True)
y = (x + 2) ** 2
y.sum().backward()
print(x.grad)
make_dot(y, params={"x": x, "y": y})
`,
  },
  {
    name: "Square",
    source: `${IMPORTS}

class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_out):
        (x,) = ctx.saved_tensors
        return grad_out * 2 * x

${CHECK("Square")}`,
  },
  {
    name: "Sinh",
    source: `${IMPORTS}

class Sinh(Function):
    @staticmethod
    def forward(ctx, x):
        up, down = torch.exp(x), torch.exp(-x)
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, grad_out, grad_up, grad_down):
        up, down = ctx.saved_tensors
        return grad_out * (up + down) / 2 + grad_up * up - grad_down * down


def sinh(x):
    return Sinh.apply(x)[0]

${CHECK("Sinh").replaceAll("Sinh.apply", "sinh")}`,
  },
  {
    name: "SinhBad",
    source: `${IMPORTS}

class SinhBad(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.up, ctx.down = torch.exp(x), torch.exp(-x)
        return (ctx.up - ctx.down) / 2

    @staticmethod
    def backward(ctx, grad_out):
        return grad_out * (ctx.up + ctx.down) / 2

${CHECK("SinhBad")}`,
  },
];
