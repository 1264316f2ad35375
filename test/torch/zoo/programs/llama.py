"""Llama with two layers and grouped-query attention, causal language model, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from transformers import LlamaConfig, LlamaForCausalLM


def make():
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=1000,
        hidden_size=128,
        intermediate_size=344,
        num_hidden_layers=2,
        num_attention_heads=8,
        num_key_value_heads=2,
        max_position_embeddings=128,
        use_cache=False,
    )
    model = LlamaForCausalLM(config).eval()
    compiled = torch.compile(model)
    input_ids = torch.randint(0, config.vocab_size, (2, 64))

    def step():
        with torch.no_grad():
            return compiled(input_ids=input_ids).logits

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
