"""Compiled functions and modules, and what programs do with them. In the eager run no call goes through torch's
wrapper, and what the program sees of them is what it sees when they are compiled."""
import copy
import inspect
import os
import sys

import torch

torch.manual_seed(0)
EAGER = os.environ.get("SEAMSCOPE_BASELINE") == "eager"
seen = []


@torch.compiler.disable
def look():
    seen.append([frame.function for frame in inspect.stack(0)].count("compile_wrapper"))


def work(x, scale=2.0):
    """Scales."""
    look()
    return torch.relu(x * scale) + 1


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        look()
        return torch.relu(self.linear(x))

    @torch.compile
    def method(self, x):
        look()
        return self.linear(x) - 1


@torch.compile(dynamic=True)
def decorated(x):
    look()
    return x.sin() + x


class Call:
    def __call__(self, x):
        look()
        return x.cos() + x


x = torch.ones(8, 4)
torch._dynamo.mark_dynamic(x, 0)
net = Net()
compiled = torch.compile(work)
module = torch.compile(net)
twice = torch.compile(torch.compile(work))
in_place = copy.deepcopy(net)
in_place.compile()
instance = torch.compile(Call())
builtin = torch.compile(torch.sin, fullgraph=True)


@torch.compile(fullgraph=True)
def whole(x):
    return torch.tanh(x) * 2


@torch.compile
def outer(x):
    return compiled(x) + decorated(x)


for _ in range(6):
    results = [compiled(x), compiled(x, scale=3.0), module(x), net.method(x), decorated(x), twice(x), in_place(x),
               instance(x), builtin(x), whole(x), outer(x)]
torch.stack([each.detach() for each in results]).sum()

assert isinstance(module, torch.nn.Module) and module._orig_mod is net
assert list(module.state_dict())[0] == "_orig_mod.linear.weight", module.state_dict()
assert isinstance(net.method.__func__, type(work)) and net.method.__self__ is net
assert compiled.__name__ == "work" and compiled.__doc__ == "Scales." and compiled.__wrapped__ is work
assert str(inspect.signature(compiled)) == "(x, scale=2.0)"
assert compiled._torchdynamo_orig_callable is work and torch._dynamo.eval_frame.innermost_fn(twice) is work
assert compiled._is_torch_compile and compiled.get_compiler_config is not None
module.train(False)
assert not net.training and len(list(module.parameters())) == 2
loss = module(x).sum()
loss.backward()
assert net.linear.weight.grad is not None


@torch.compile
def fails(x):
    raise ValueError("the program's own")


try:
    fails(x)
    raise SystemExit("no error")
except ValueError as error:
    assert str(error) == "the program's own"
exported = torch.export.export(Net(), (torch.ones(2, 4),)) if not EAGER else None
print("sums", *(f"{each.sum().item():.3f}" for each in results))
if EAGER:
    assert not any(seen), seen
    assert torch.compiler.is_compiling() is False
    print(f"{len(seen)} calls without torch's wrapper", file=sys.stderr)
else:
    assert any(seen)
