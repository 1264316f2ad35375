"""BERT with two layers and a masked language model head, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from transformers import BertConfig, BertForMaskedLM


def make():
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=1000,
        hidden_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=512,
        max_position_embeddings=128,
    )
    model = BertForMaskedLM(config).eval()
    compiled = torch.compile(model)
    input_ids = torch.randint(0, config.vocab_size, (4, 64))
    attention_mask = torch.ones_like(input_ids)
    attention_mask[1, 48:] = 0  # One sequence is shorter than the others.

    def step():
        with torch.no_grad():
            return compiled(input_ids=input_ids, attention_mask=attention_mask).logits

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
