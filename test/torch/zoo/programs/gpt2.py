"""GPT-2 with two layers, causal language model, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from transformers import GPT2Config, GPT2LMHeadModel


def make():
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=1000,
        n_positions=128,
        n_embd=128,
        n_layer=2,
        n_head=4,
        bos_token_id=0,
        eos_token_id=1,
    )
    model = GPT2LMHeadModel(config).eval()
    compiled = torch.compile(model)
    input_ids = torch.randint(0, config.vocab_size, (2, 64))

    def step():
        with torch.no_grad():
            return compiled(input_ids=input_ids, use_cache=False).logits

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
