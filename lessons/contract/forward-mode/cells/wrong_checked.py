from torch.autograd import gradcheck

apply = RunningWrong.apply
x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
print("as ever:", gradcheck(apply, x))
print("forward, too:", gradcheck(apply, x, check_forward_ad=True))
