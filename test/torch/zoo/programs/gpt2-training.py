"""GPT-2 with two layers, causal language model, trained with AdamW."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from transformers import GPT2Config, GPT2LMHeadModel


def make():
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=500,
        n_positions=64,
        n_embd=64,
        n_layer=2,
        n_head=4,
        bos_token_id=0,
        eos_token_id=1,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        use_cache=False,
    )
    model = GPT2LMHeadModel(config).train()
    compiled = torch.compile(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    input_ids = torch.randint(0, config.vocab_size, (4, 32))

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = compiled(input_ids=input_ids, labels=input_ids).loss
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
