"""MobileBERT for question answering, with random weights, through torch.compile.

usage: mobilebert.py [CALLS]
"""

import sys

import torch
from transformers import MobileBertConfig, MobileBertForQuestionAnswering


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    torch.manual_seed(0)
    model = MobileBertForQuestionAnswering(MobileBertConfig(num_hidden_layers=4)).eval()
    tokens = torch.randint(0, model.config.vocab_size, (4, 128))
    compiled = torch.compile(model)
    with torch.no_grad():
        for _ in range(calls):
            compiled(input_ids=tokens)


if __name__ == "__main__":
    main()
