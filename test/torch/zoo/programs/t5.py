"""T5 encoder and decoder with two layers each, inference with teacher forcing."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from transformers import T5Config, T5ForConditionalGeneration


def make():
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=1000,
        d_model=64,
        d_kv=16,
        d_ff=256,
        num_layers=2,
        num_decoder_layers=2,
        num_heads=4,
        decoder_start_token_id=0,
        use_cache=False,
    )
    model = T5ForConditionalGeneration(config).eval()
    compiled = torch.compile(model)
    source = torch.randint(1, config.vocab_size, (2, 48))
    target = torch.randint(1, config.vocab_size, (2, 24))

    def step():
        with torch.no_grad():
            return compiled(input_ids=source, decoder_input_ids=target).logits

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
