#===- begin.py - waits for torch and Triton --------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What sitecustomize.py does first in a Python that is recorded: it waits for `import torch`, then loads the
bridge; for torch.distributed, by which a process that was without a rank when it started learns it; and,
where SEAMSCOPE_GPU asks for it, for `import triton`, to have its kernels instrumented.
"""

import os


def begin(waiting, here):
    recorded = os.environ.get("SEAMSCOPE") in ("trace", "profile")
    # One that compiles for a program with `import seamscope.triton` is not recorded. What it starts
    # does not compile for it.
    worker = os.environ.pop("SEAMSCOPE_TRITON_WORKER", "") == "1"
    if (recorded or worker) and os.environ.get("SEAMSCOPE_GPU", "off") not in ("", "off"):
        _time_triton(waiting, here)
    if recorded and os.environ.get("SEAMSCOPE_TORCH", "off") in ("on", "all"):
        waiting.wait_for("torch.distributed.distributed_c10d",
                         lambda module: waiting.load(here, "ranks").watch(module),
                         "ranks are not told apart")
        waiting.wait_for("torch", lambda torch: waiting.load(here, "bridge").start_aside(waiting, torch),
                         "torch's operators are not recorded")


def _time_triton(waiting, here):
    otherwise = "GPU kernels of Triton are not timed"

    def stages():
        return waiting.load(here, "triton_stages")

    waiting.wait_for("triton", lambda triton: stages().asked_for() and stages().install(triton),
                     otherwise)
    waiting.wait_for("torch", lambda torch: stages().asked_for() and stages().separate_inductor(),
                     otherwise)
    waiting.wait_for("torch._inductor.compile_worker.subproc_pool",
                     lambda pools: stages().asked_for() and stages().reach_workers(pools), otherwise)
