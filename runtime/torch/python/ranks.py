#===- ranks.py - learns the rank in a distributed run ----------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""torchrun passes the rank in the environment. A process that torch.multiprocessing.spawn or the program
starts gets its rank when it calls init_process_group. From then on the trace has the rank, and the process
records torch's operators.
"""

import ctypes
import functools
import sys

from _seamscope_waiting import guarded


def _join(rank, size):
    bridge = sys.modules["_seamscope_bridge"]
    waiting = sys.modules["_seamscope_waiting"]
    ctypes.CDLL(bridge.RUNTIME).seamscope_set_rank(rank, size)
    if bridge.start_aside(waiting, sys.modules["torch"], rank):
        for begin in waiting.on_recording:
            begin()
        waiting.on_recording.clear()


def watch(module):
    begin = module.init_process_group

    @guarded("the trace lacks the rank of this process")
    def join():
        _join(module.get_rank(), module.get_world_size())

    @functools.wraps(begin)
    def init_process_group(*args, **kwargs):
        result = begin(*args, **kwargs)
        join()
        return result

    module.init_process_group = init_process_group
