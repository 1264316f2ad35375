"""Mixtral with two layers and four experts, causal language model, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from transformers import MixtralConfig, MixtralForCausalLM


def make():
    torch.manual_seed(0)
    config = MixtralConfig(
        vocab_size=500,
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        num_local_experts=4,
        num_experts_per_tok=2,
        max_position_embeddings=128,
        use_cache=False,
    )
    model = MixtralForCausalLM(config).eval()
    compiled = torch.compile(model)
    input_ids = torch.randint(0, config.vocab_size, (2, 32))

    def step():
        with torch.no_grad():
            return compiled(input_ids=input_ids).logits

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
