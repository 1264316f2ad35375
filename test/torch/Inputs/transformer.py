"""transformer.py FOLDER [mobilebert]: a model of which some calls run under torch.profiler: blocks
of a transformer, or MobileBERT for question answering with random weights.

Writes torch.profiler's trace to FOLDER/eager.json in an eager run, else to FOLDER/compiled.json.
"""
import os
import sys

import torch
from torch.nn import functional


class Block(torch.nn.Module):
    """As MobileBERT has them: a narrow body, scale and shift instead of a norm, a stack of layers."""

    def __init__(self, wide=256, narrow=128, heads=4):
        super().__init__()
        self.heads = heads
        linear = torch.nn.Linear
        self.down, self.up = linear(wide, narrow), linear(narrow, wide)
        self.query, self.key, self.value = (linear(narrow, narrow) for _ in range(3))
        self.out = linear(narrow, narrow)
        self.first, self.second = linear(narrow, 4 * narrow), linear(4 * narrow, narrow)
        self.scale = torch.nn.Parameter(torch.rand(narrow))
        self.shift = torch.nn.Parameter(torch.rand(narrow))
        self.norm = torch.nn.LayerNorm(wide)

    def forward(self, x):
        y = self.down(x) * self.scale + self.shift
        apart = [f(y).view(*y.shape[:2], self.heads, -1).transpose(1, 2)
                 for f in (self.query, self.key, self.value)]
        a = functional.scaled_dot_product_attention(*apart)
        y = (self.out(a.transpose(1, 2).reshape(y.shape)) + y) * self.scale + self.shift
        y = (self.second(functional.relu(self.first(y))) + y) * self.scale + self.shift
        return functional.gelu(self.norm(x + self.up(y)))


def mobilebert():
    from transformers import MobileBertConfig, MobileBertForQuestionAnswering

    config = MobileBertConfig(num_hidden_layers=4)
    words = torch.randint(config.vocab_size, (4, 128))
    model = MobileBertForQuestionAnswering(config).eval()
    return model, words


torch.manual_seed(0)
torch.set_num_threads(2)
if sys.argv[2:] == ["mobilebert"]:
    model, x = mobilebert()
else:
    model, x = torch.nn.Sequential(*(Block() for _ in range(3))).eval(), torch.randn(8, 256, 256)
compiled = torch.compile(model)
eager = os.environ.get("SEAMSCOPE_BASELINE") == "eager"
with torch.no_grad():
    for _ in range(24):
        y = compiled(x)
    with torch.profiler.profile() as profile:
        for _ in range(16):
            with torch.profiler.record_function("call of the model"):
                y = compiled(x)
profile.export_chrome_trace(os.path.join(sys.argv[1], f"{'eager' if eager else 'compiled'}.json"))
print(f"{float((y if torch.is_tensor(y) else y.start_logits).sum()):.2f}")
