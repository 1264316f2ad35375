"""DistilBERT with two layers, sequence classification, trained with AdamW."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from transformers import DistilBertConfig, DistilBertForSequenceClassification


def make():
    torch.manual_seed(0)
    config = DistilBertConfig(
        vocab_size=500,
        max_position_embeddings=64,
        n_layers=2,
        n_heads=4,
        dim=64,
        hidden_dim=256,
        dropout=0.0,
        attention_dropout=0.0,
        seq_classif_dropout=0.0,
        num_labels=3,
    )
    model = DistilBertForSequenceClassification(config).train()
    compiled = torch.compile(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    input_ids = torch.randint(0, config.vocab_size, (8, 32))
    labels = torch.randint(0, config.num_labels, (8,))

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = compiled(input_ids=input_ids, labels=labels).loss
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
