#===- sitecustomize.py - has torch tell more of what it compiles -----------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`seamscope run` puts this folder on PYTHONPATH, so that Python runs this file when it starts.

It waits for two modules of torch: one is to write down the nodes of backward kernels too, the other to
mark the calls of compiled functions in the trace.
"""

import os
import sys


def _tell_of_backward(module):
    # torch keeps the map from kernels to nodes only where it knows of a graph from before autograd.
    # A backward graph is compiled later, outside of the place that knows it: torch then asks this
    # variable, and any number but None will do.
    if getattr(module, "_pre_grad_graph_id", 0) is None:
        module._pre_grad_graph_id = -1


def _start():
    here = os.path.dirname(os.path.realpath(__file__))
    waiting = sys.modules.get("_seamscope_waiting")
    if waiting is None:
        from importlib.util import module_from_spec, spec_from_file_location

        spec = spec_from_file_location("_seamscope_waiting", os.path.join(here, "waiting.py"))
        waiting = sys.modules[spec.name] = module_from_spec(spec)
        spec.loader.exec_module(waiting)
    waiting.wait_for("torch._inductor.debug", _tell_of_backward,
                     "the nodes of backward kernels are not told")
    if os.environ.get("SEAMSCOPE") == "trace":
        waiting.wait_for("torch._dynamo",
                         lambda _: waiting.load(here, "steps").start(sys.modules["torch"]),
                         "calls of compiled functions are not marked")
    waiting.run_hidden(here)


_start()
