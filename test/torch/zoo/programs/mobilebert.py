"""MobileBERT with two layers and bottlenecks, masked language model, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from transformers import MobileBertConfig, MobileBertForMaskedLM


def make():
    torch.manual_seed(0)
    config = MobileBertConfig(
        vocab_size=500,
        hidden_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        embedding_size=64,
        intra_bottleneck_size=64,
        num_feedforward_networks=2,
        max_position_embeddings=128,
    )
    model = MobileBertForMaskedLM(config).eval()
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
