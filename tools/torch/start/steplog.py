#===- steplog.py - time and page faults of each call of a compiled function ===#
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The log by which a run is compared with one that records nothing: of each outermost call of a compiled
function its time, and the page faults and context switches of the whole process. Runs that record and runs that
do not write it in the same way. Docs: docs/formats.md, "steps.bin".

It is a file that is mapped and sparse: nothing is allocated on the program's heap, and nothing is lost when the
program is killed.
"""

import mmap
import os
import resource
import struct
import threading
import time

MAGIC = b"seamscope steps\x01"
HEAD = struct.Struct("<16sQQ")  # magic, number of steps, of those that found no room
STEP = struct.Struct("<IIQQQII")  # name, flags, begin and end in ns, page faults, switches: waits, preempted
STEPS_AT = 1 << 16  # before it the head, then the names, each with a newline behind it
CAPACITY = 1 << 20
COMPILES, RECORDED = 1, 2  # flags


class StepLog:
    """Written by the first process of the run that calls a compiled function."""

    def __init__(self, path):
        self.path = path
        self.owner = None
        self.map = None
        self.names = {}
        self.names_end = HEAD.size
        self.steps = self.left_out = 0
        self.compiles = False
        self.thread = threading.local()

    def open(self):
        self.owner = os.getpid()
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        except OSError:  # another process has it, or the folder is gone
            return
        try:
            os.ftruncate(file, STEPS_AT + CAPACITY * STEP.size)
            self.map = mmap.mmap(file, 0)
        finally:
            os.close(file)
        self.write_head()

    def write_head(self):
        HEAD.pack_into(self.map, 0, MAGIC, self.steps, self.left_out)

    def number_of(self, name):
        number = self.names.get(name)
        if number is None:
            line = name.replace("\n", " ").encode(errors="replace") + b"\n"
            if self.names_end + len(line) > STEPS_AT:
                return None
            self.map[self.names_end:self.names_end + len(line)] = line
            self.names_end += len(line)
            number = self.names[name] = len(self.names)
        return number

    def begin(self, name):
        """To be handed to end(); None for a call that is not logged."""
        depth = getattr(self.thread, "depth", 0)
        self.thread.depth = depth + 1
        if depth:
            return None
        if self.owner is None:
            self.open()
        if self.map is None or self.owner != os.getpid():
            return None
        number = self.number_of(name)
        if number is None:
            return None
        self.compiles = False
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return number, usage, time.monotonic_ns()

    def end(self, begun, recorded):
        ended = time.monotonic_ns()
        self.thread.depth -= 1
        if begun is None:
            return
        number, before, began = begun
        usage = resource.getrusage(resource.RUSAGE_SELF)
        if self.steps == CAPACITY:
            self.left_out += 1
        else:
            STEP.pack_into(self.map, STEPS_AT + self.steps * STEP.size, number,
                           self.compiles * COMPILES + bool(recorded) * RECORDED, began, ended,
                           usage.ru_minflt - before.ru_minflt, usage.ru_nvcsw - before.ru_nvcsw,
                           usage.ru_nivcsw - before.ru_nivcsw)
            self.steps += 1
        self.write_head()
