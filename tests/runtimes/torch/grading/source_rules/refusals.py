"""Why a program is refused for its bans."""

from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_rules.bans import check_bans
from app.runtimes.torch.grading.source_rules.source_tree import parse_sources

WITHOUT_AUTOGRAD = ["torch.autograd", "torch.func", "torch.Tensor.backward", "torch.Tensor.grad", "torch.Tensor.grad_fn"]


def reason(source: str, *bans: str) -> str | None:
    try:
        check_bans(parse_sources([source]), list(bans or ("torch.exp",)))
    except NotPassed as failed:
        return failed.code
    return None
