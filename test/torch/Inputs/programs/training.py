"""A training step: forward, loss, backward, and an optimizer that is compiled too."""
import torch
from found import both_ways


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(64, 128)
        self.norm = torch.nn.LayerNorm(128)
        self.last = torch.nn.Linear(128, 8)

    def forward(self, x):
        h = torch.nn.functional.gelu(self.first(x))  # activation
        h = self.norm(h)  # norm
        return self.last(h)  # head


def loss_of(model, x, wanted):
    return torch.nn.functional.cross_entropy(model(x), wanted)  # loss


def main():
    torch.manual_seed(0)
    model = Model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    compiled = torch.compile(loss_of)

    @torch.compile
    def update():
        optimizer.step()  # step

    x, wanted = torch.rand(32, 64), torch.randint(8, (32,))
    losses = []
    for _ in range(4):
        optimizer.zero_grad()
        loss = compiled(model, x, wanted)
        loss.backward()
        update()
        losses.append(loss.item())
    assert losses[-1] < losses[0], losses


def check(found):
    report = found.report
    directions = [graph["direction"] for graph in report["graphs"]]
    assert directions.count("forward") == 1 and directions.count("backward") == 1, directions
    for tag in ("activation", "norm", "loss"):
        forward = found.kernels(tag, "forward")
        backward = found.kernels(tag, "backward")
        assert forward and backward, (tag, forward, backward)
        for kernel in forward + backward:
            assert kernel["calls"] == 4, (tag, kernel)
    total, again = {}, set()
    for kernel in report["kernels"]:
        assert kernel["nodes"] and kernel["python"], kernel
        directions = {use["direction"] for use in kernel["uses"]}
        if directions == {"forward"}:
            for op in kernel["eager_ops"]:
                total[op["name"]] = total.get(op["name"], 0) + op["calls"]
        if directions == {"backward"}:
            # gelu is cheaper to compute again than to keep; of layer_norm the mean is kept.
            assert all(op["recomputed"] == op["calls"] for op in kernel["eager_ops"]), kernel
            again |= {(op["name"], bool(op["partial"])) for op in kernel["eager_ops"]}
            found.tags(kernel["python"])
    assert {"aten::gelu", "aten::layer_norm", "aten::cross_entropy_loss"} <= set(total), total
    assert {("aten::gelu", False), ("aten::layer_norm", True)} <= again, again
    # The optimizer's kernels stand for lines of torch's own adam, called for the line of the program.
    (update,) = [kernel for kernel in report["kernels"]
                 if any("optim/adam" in line["file"] for line in kernel["python"])]
    assert update["calls"] == 4 and update["graph"] != found.kernels("norm", "forward")[0]["graph"]
    operators = found.operators(update)
    assert operators["aten::lerp_"] == 6 and operators["aten::addcdiv_"] == 6, operators
    for line in update["python"]:
        assert open(line["file"]).read().split("\n")[line["line"] - 1].strip() == line["code"], line


both_ways(main, check)
