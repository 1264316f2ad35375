"""Prints the ns per call of compiled MobileBERT with random weights and 4 x 128 tokens.

usage: mobilebert_loop.py LAYERS CALLS

The figure is the median of the second half of the calls, in which nothing is compiled.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import statistics
import sys
import time

import torch
from transformers import MobileBertConfig, MobileBertForQuestionAnswering

layers, calls = int(sys.argv[1]), int(sys.argv[2])
torch.manual_seed(0)
model = MobileBertForQuestionAnswering(MobileBertConfig(num_hidden_layers=layers)).eval()
tokens = torch.randint(0, model.config.vocab_size, (4, 128))
compiled = torch.compile(model)
times = []
with torch.no_grad():
    for _ in range(calls):
        begin = time.perf_counter_ns()
        compiled(input_ids=tokens)
        times.append(time.perf_counter_ns() - begin)
print(statistics.median(times[calls // 2:]))
