#===- begin.py - makes torch log more about what it compiles ---------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""sitecustomize.py calls this first in each Python process of `seamscope run`. Hooks are installed when torch's
modules are imported: they log the nodes of backward kernels, the modules that nodes ran in and, if loops are
timed, the nodes of each statement; separate the cached graphs of different programs; end torch's log if it
cannot be written; and mark and log the calls of compiled functions. A baseline run has only the last hook. A
run that checks kernels has hooks of its own in place of those of the compiler.
"""

import os
import sys


def begin(waiting, here):
    logs = os.environ.get("SEAMSCOPE_LOGS")
    if logs and os.environ.get("TORCH_TRACE") == logs:  # the user did not ask for the log
        waiting.wait_for("torch._logging._internal",
                         lambda internal: waiting.load(here, "logs").watch_logging(internal),
                         "torch's log of what it compiles is not watched")
    if os.environ.get("SEAMSCOPE_INDUCTOR"):
        waiting.wait_for("torch._inductor.config",
                         lambda config: waiting.load(here, "inductor_options").set_option(config),
                         "an option of Inductor is not set")
    if os.environ.get("SEAMSCOPE") != "off" and not os.environ.get("SEAMSCOPE_TURNS"):
        _watch_compiler(waiting, here)
    if os.environ.get("SEAMSCOPE_CHECKS"):
        _watch_kernels(waiting, here)
    if os.environ.get("SEAMSCOPE") == "trace" or os.environ.get("SEAMSCOPE_STEPS"):
        waiting.wait_for("torch._dynamo",
                         lambda _: waiting.load(here, "steps").start(sys.modules["torch"]),
                         "calls of compiled functions are not marked")


def _watch_calls(waiting, here):
    waiting.wait_for("torch._inductor.async_compile",
                     lambda async_compile: waiting.load(here, "calls").watch_async_compile(async_compile),
                     "kernels cannot be replayed")


def _watch_kernels(waiting, here):
    waiting.wait_for("torch._inductor.codegen.cpp",
                     lambda cpp: waiting.load(here, "check_sites").watch_cpp(cpp),
                     "kernels are not checked")
    _watch_calls(waiting, here)


def _watch_compiler(waiting, here):
    waiting.wait_for("torch._inductor.debug",
                     lambda debug: waiting.load(here, "provenance").watch_inductor(debug),
                     "kernels of backward passes lack nodes")
    waiting.wait_for("torch._functorch._aot_autograd.utils",
                     lambda utils: waiting.load(here, "provenance").watch_autograd(utils),
                     "kernels of backward passes lack operators")
    waiting.wait_for("torch._inductor.codecache",
                     lambda codecache: waiting.load(here, "provenance").watch_cache(codecache),
                     "graphs from a cache may have the lines of another program")
    waiting.wait_for("torch._dynamo.output_graph",
                     lambda output_graph: waiting.load(here, "origins").watch_dynamo(output_graph),
                     "kernels lack modules")
    waiting.wait_for("torch._inductor.compile_fx",
                     lambda compile_fx: waiting.load(here, "origins").watch_compile(compile_fx),
                     "kernels of ahead-of-time compiled packages lack modules")
    if os.environ.get("SEAMSCOPE_CALLS"):
        _watch_calls(waiting, here)
    if waiting.load(here, "statements").wanted():
        waiting.wait_for("torch._inductor.codegen.cpp",
                         lambda cpp: waiting.load(here, "statements").watch_cpp(cpp),
                         "loops of kernels lack nodes")
