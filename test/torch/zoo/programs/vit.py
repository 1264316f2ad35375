"""Vision transformer with two layers, image classification, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from transformers import ViTConfig, ViTForImageClassification


def make():
    torch.manual_seed(0)
    config = ViTConfig(
        hidden_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=512,
        image_size=64,
        patch_size=8,
        num_labels=10,
    )
    model = ViTForImageClassification(config).eval()
    compiled = torch.compile(model)
    images = torch.randn(4, 3, 64, 64)

    def step():
        with torch.no_grad():
            return compiled(pixel_values=images).logits

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
