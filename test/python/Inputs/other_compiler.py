"""other_compiler.py FOLDER: compiles with the compiler in CXX; operators are still recorded."""
import sys

import seamscope.torch
from chain import A, B, chain, events_of, kernels_of

compiled = seamscope.torch.compile(chain)
seamscope.torch.compile(chain)
compiled(A, B)
with seamscope.torch.trace(sys.argv[1]) as t:
    A.sin()
    compiled(A, B)
assert not kernels_of(t.traces[0]) and len(events_of(t.traces[0], name="aten::sin")) == 1
