"""inside_run.py FOLDER: makes six calls, two of which are also in a separate trace."""
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
