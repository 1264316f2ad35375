"""Whisper with two encoder and two decoder layers, inference on random features."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from transformers import WhisperConfig, WhisperForConditionalGeneration


def make():
    torch.manual_seed(0)
    config = WhisperConfig(
        vocab_size=500,
        num_mel_bins=20,
        d_model=64,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=256,
        decoder_ffn_dim=256,
        max_source_positions=100,
        max_target_positions=64,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
        suppress_tokens=None,
        begin_suppress_tokens=None,
        use_cache=False,
    )
    model = WhisperForConditionalGeneration(config).eval()
    compiled = torch.compile(model)
    # The two convolutions of the encoder halve the number of frames.
    features = torch.randn(2, config.num_mel_bins, 2 * config.max_source_positions)
    tokens = torch.randint(3, config.vocab_size, (2, 16))

    def step():
        with torch.no_grad():
            return compiled(input_features=features, decoder_input_ids=tokens).logits

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
