#===- begin.py - waits for torch and Triton --------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""sitecustomize.py runs this first in a recorded Python. It waits for `import torch` to load the bridge, for
torch.distributed to learn the rank of a process that started without one, and for `import triton`, if
SEAMSCOPE_GPU is set, to instrument its kernels.
"""

import os


def begin(waiting, here):
    recorded = os.environ.get("SEAMSCOPE") in ("trace", "profile")
    # A compile worker of a program with `import seamscope.triton` is not recorded. Processes that the
    # worker starts are not workers, so the variable is removed.
    worker = os.environ.pop("SEAMSCOPE_TRITON_WORKER", "") == "1"
    if (recorded or worker) and os.environ.get("SEAMSCOPE_GPU", "off") not in ("", "off"):
        _time_triton(waiting, here)
    if recorded and os.environ.get("SEAMSCOPE_TORCH", "off") in ("on", "all"):
        waiting.wait_for("torch.distributed.distributed_c10d",
                         lambda module: waiting.load(here, "ranks").watch(module),
                         "the trace lacks the rank of this process")
        waiting.wait_for("torch", lambda torch: waiting.load(here, "bridge").start_aside(waiting, torch),
                         "torch's operators are not recorded")


def _time_triton(waiting, here):
    on_failure = "GPU kernels of Triton are not timed"

    def stages():
        return waiting.load(here, "triton_stages")

    waiting.wait_for("triton", lambda triton: stages().asked_for() and stages().install(triton),
                     on_failure)
    waiting.wait_for("torch", lambda torch: stages().asked_for() and stages().separate_inductor(),
                     on_failure)
    waiting.wait_for("torch._inductor.compile_worker.subproc_pool",
                     lambda pools: stages().asked_for() and stages().reach_workers(pools), on_failure)
