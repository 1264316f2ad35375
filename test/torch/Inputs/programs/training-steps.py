"""Training steps that the program marks: convolution, norms, products, loss, backward, optimizer."""
import collections

import torch
from found import both_ways
from torch.profiler import record_function

STEPS = 16


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 16, 3, padding=1)
        self.normal = torch.nn.BatchNorm2d(16)
        self.first = torch.nn.Linear(16 * 8 * 8, 64)
        self.norm = torch.nn.LayerNorm(64)
        self.last = torch.nn.Linear(64, 10)

    def forward(self, x):
        h = torch.relu(self.normal(self.convolution(x)))  # image
        h = torch.nn.functional.gelu(self.first(h.flatten(1)))  # activation
        h = self.norm(h + 1.0)  # norm
        return self.last(h).log_softmax(-1)  # head


def main():
    torch.manual_seed(0)
    model = Model()
    compiled = torch.compile(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    x, wanted = torch.rand(16, 3, 8, 8), torch.randint(10, (16,))
    losses = []
    for number in range(STEPS):
        with record_function(f"ProfilerStep#{number}"):
            optimizer.zero_grad()
            loss = torch.nn.functional.nll_loss(compiled(x), wanted)
            loss.backward()
            optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0], losses


def check(found):
    attribution = found.report["attribution"]
    # The first step compiles, and up to half of the others are warm-up: a matter of their times.
    assert attribution["steps_marked"] and not attribution["left_out"]["unpaired"], attribution
    left_out = [attribution["left_out"][why]["steps"] for why in ("compiling", "warm_up")]
    steps = len(attribution["steps"])
    assert left_out[0] >= 1 and steps + sum(left_out) == STEPS and steps >= 2, (steps, left_out)
    for side in ("eager_ns", "compiled_ns"):
        total = attribution["total"][side]
        assert total == sum(part[side] for part in attribution["parts"]), (side, attribution)
        backward = attribution["backward"][side]
        # How much it is, is a matter of the machine: what else ran on it counts in the steps.
        assert 0 < backward < total, (side, backward, total)
        assert backward >= sum(call[side] for call in attribution["calls"]
                               if call["direction"] == "backward"), (side, backward)
    # What the graphs replaced, all of it in its place: each operator of the eager backward pass that
    # does work is at one call of a kernel.
    assert not attribution["unplaced"], attribution["unplaced"]
    replaced = collections.Counter()
    for call in attribution["calls"]:
        for op in call["eager_ops"]:
            assert op["calls"] % steps == 0, op
            replaced[op["name"]] += op["calls"] // steps
    wanted = {"aten::conv2d": 1, "aten::batch_norm": 1, "aten::relu": 1, "aten::linear": 2,
              "aten::gelu": 1, "aten::add": 1, "aten::layer_norm": 1, "aten::log_softmax": 1,
              "aten::_log_softmax_backward_data": 1, "aten::native_layer_norm_backward": 1,
              "aten::gelu_backward": 1, "aten::mm": 4, "aten::sum": 2,
              "aten::threshold_backward": 1, "aten::native_batch_norm_backward": 1,
              "aten::convolution_backward": 1}
    found_of = {name: replaced[name] for name in wanted}
    assert found_of == wanted, found_of

    # Kernels of the backward pass replaced what computes the gradients of their lines.
    def gradients(tag):
        names = set()
        for kernel in found.kernels(tag, "backward"):
            assert kernel["eager_ns"] > 0 and kernel["compared_calls"] == steps, kernel["name"]
            assert kernel["eager_ns"] == sum(op["total_ns"] for op in kernel["eager_ops"])
            names |= {op["name"] for op in kernel["eager_ops"] if op["total_ns"]}
        return names

    assert "aten::gelu_backward" in gradients("activation"), gradients("activation")
    assert "aten::native_layer_norm_backward" in gradients("norm"), gradients("norm")
    assert "aten::_log_softmax_backward_data" in gradients("head"), gradients("head")
    assert {"aten::threshold_backward", "aten::native_batch_norm_backward"} <= gradients("image")

    # A library's product stands beside the one product that has its shapes.
    products = [call for call in attribution["calls"] if call["kernel"] == "extern_kernels.mm"]
    assert len(products) == 4, products
    for product in products:
        (own,) = [op for op in product["eager_ops"] if op["name"] == "aten::mm"]
        assert own["calls"] == own["proven"] == steps == product["calls"], product


if __name__ == "__main__":
    both_ways(main, check)
