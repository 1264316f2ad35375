"""inside_run.py FOLDER: of six calls two are in a trace of their own."""
import sys

import seamscope.torch
from chain import A, B, chain

compiled = seamscope.torch.compile(chain)
for call in range(6):
    if call == 3:
        with seamscope.torch.trace(sys.argv[1]):
            compiled(A, B)
            compiled(A, B)
    elif call != 4:
        compiled(A, B)
