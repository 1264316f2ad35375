#===- begin.py - has torch tell more of what it compiles -------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What sitecustomize.py does first in a Python of `seamscope run`: it waits for modules of torch. Two are
to write down the nodes of backward kernels too, one is to keep apart the cached graphs of different
programs, one is to write down the modules that nodes ran in, one is to tell the nodes of each statement
where loops are timed, one is to end torch's log where it cannot be written, and the last is to mark the
calls of compiled functions in the trace, and to log them. A run that is there to be compared with has the
last alone.
"""

import os
import sys


def begin(waiting, here):
    logs = os.environ.get("SEAMSCOPE_LOGS")
    if logs and os.environ.get("TORCH_TRACE") == logs:  # and the program's user wants none
        waiting.wait_for("torch._logging._internal",
                         lambda internal: waiting.load(here, "logs").watch_logging(internal),
                         "torch's log of what it compiles is not watched")
    if os.environ.get("SEAMSCOPE") != "off" and not os.environ.get("SEAMSCOPE_TURNS"):
        _watch_compiler(waiting, here)
    if os.environ.get("SEAMSCOPE") == "trace" or os.environ.get("SEAMSCOPE_STEPS"):
        waiting.wait_for("torch._dynamo",
                         lambda _: waiting.load(here, "steps").start(sys.modules["torch"]),
                         "calls of compiled functions are not marked")


def _watch_compiler(waiting, here):
    waiting.wait_for("torch._inductor.debug",
                     lambda debug: waiting.load(here, "provenance").watch_inductor(debug),
                     "kernels of backward passes have no nodes")
    waiting.wait_for("torch._functorch._aot_autograd.utils",
                     lambda utils: waiting.load(here, "provenance").watch_autograd(utils),
                     "kernels of backward passes have no operators")
    waiting.wait_for("torch._inductor.codecache",
                     lambda codecache: waiting.load(here, "provenance").watch_cache(codecache),
                     "graphs from a cache may have the lines of another program")
    waiting.wait_for("torch._dynamo.output_graph",
                     lambda output_graph: waiting.load(here, "origins").watch_dynamo(output_graph),
                     "kernels have no modules")
    waiting.wait_for("torch._inductor.compile_fx",
                     lambda compile_fx: waiting.load(here, "origins").watch_compile(compile_fx),
                     "kernels of packages compiled ahead of time have no modules")
    if os.environ.get("SEAMSCOPE_PASS") and waiting.load(here, "statements").wanted():
        waiting.wait_for("torch._inductor.codegen.cpp",
                         lambda cpp: waiting.load(here, "statements").watch_cpp(cpp),
                         "loops of kernels have no nodes")
