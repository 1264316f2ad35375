#===- steplog.py - time and page faults of each call of a compiled function ===#
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The log for comparing recorded with unrecorded runs, which both write in the same way: for each outermost call of
a compiled function its time, and the page faults and context switches of the process. Docs: docs/formats.md,
"steps.bin".

The file is mapped: the program's heap is not used, and nothing is lost if the program is killed. Disk space for a
piece is allocated before it is written, because a store into a mapped file on a full disk kills the process. No
descriptor stays open, because programs may close descriptors that are not their own and reuse the numbers.
"""

import ctypes
import mmap
import os
import resource
import struct
import threading
import time

from _seamscope_waiting import failed

MAGIC = b"seamscope steps\x01"
HEAD = struct.Struct("<16sQQ")  # magic, number of steps, number of steps that did not fit
STEP = struct.Struct("<IIQQQII")  # name, flags, begin and end in ns, page faults, switches: waits, preempted
STEPS_AT = 1 << 16  # after the head and the names, each of which ends in a newline
CAPACITY = 1 << 20
PIECE = 1 << 13  # steps; their size is a multiple of any page size
COMPILES, RECORDED, KIND_AT = 1, 2, 8  # flags
ENDS = "the log of steps ends here: later steps are not compared with runs that record nothing"

_mmap = ctypes.CDLL(None, use_errno=True).mmap
_mmap.restype = ctypes.c_void_p
_mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]


def _piece(file, offset, size):
    """Maps a piece of an open file after allocating disk space for it. Does not use Python's mmap objects, which
    keep a descriptor. Raises OSError."""
    os.posix_fallocate(file, offset, size)
    at = _mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED, file, offset)
    if at in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return (ctypes.c_char * size).from_address(at)


class StepLog:
    """Written by the first process of the run that calls a compiled function."""

    def __init__(self, path):
        self.path = path
        self.owner = self.identity = None
        self.front = self.steps_piece = None
        self.room = 0  # number of steps that the mapped pieces hold
        self.names = {}
        self.names_end = HEAD.size
        self.steps = self.left_out = 0
        self.compiles = False
        self.thread = threading.local()

    def open(self):
        """Creates the file. If that fails, there is no log."""
        self.owner = os.getpid()
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        except OSError as error:
            if not os.path.lexists(self.path):  # else another process of the run writes it
                failed(ENDS, error)
            return
        try:
            self.identity = os.fstat(file)
            self.front = _piece(file, 0, STEPS_AT)
            self.write_head()
        except OSError as error:
            failed(ENDS, error)
            os.unlink(self.path)
        finally:
            os.close(file)

    def write_head(self):
        HEAD.pack_into(self.front, 0, MAGIC, self.steps, self.left_out)

    def grow(self):
        """Maps space for more steps. Raises OSError."""
        file = os.open(self.path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            if not os.path.samestat(os.fstat(file), self.identity):
                raise OSError(f"{self.path} is another file now")
            self.steps_piece = _piece(file, STEPS_AT + self.room * STEP.size, PIECE * STEP.size)
        finally:
            os.close(file)
        self.room += PIECE

    def number_of(self, name):
        number = self.names.get(name)
        if number is None:
            line = name.replace("\n", " ").encode(errors="replace") + b"\n"
            if self.names_end + len(line) > STEPS_AT:
                return None
            self.front[self.names_end:self.names_end + len(line)] = line
            self.names_end += len(line)
            number = self.names[name] = len(self.names)
        return number

    def begin(self, name, kind=0):
        """Returns the argument for end(); None for a call that is not logged."""
        depth = getattr(self.thread, "depth", 0)
        self.thread.depth = depth + 1
        if depth:
            return None
        if self.owner is None:
            self.open()
        if self.front is None or self.owner != os.getpid():
            return None
        number = self.number_of(name)
        if number is None:
            return None
        self.compiles = False
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return number, kind, usage, time.monotonic_ns()

    def end(self, begun, recorded):
        ended = time.monotonic_ns()
        self.thread.depth -= 1
        if begun is None:
            return
        number, kind, before, began = begun
        usage = resource.getrusage(resource.RUSAGE_SELF)
        if self.steps == self.room and not self.left_out and self.steps < CAPACITY:
            try:
                self.grow()
            except OSError as error:
                failed(ENDS, error)
        # After one step did not fit, drop all later ones, so that the log has no gaps.
        if self.left_out or self.steps == self.room:
            self.left_out += 1
            return self.write_head()
        STEP.pack_into(self.steps_piece, self.steps % PIECE * STEP.size, number,
                       self.compiles * COMPILES + bool(recorded) * RECORDED + (kind << KIND_AT), began, ended,
                       usage.ru_minflt - before.ru_minflt, usage.ru_nvcsw - before.ru_nvcsw,
                       usage.ru_nivcsw - before.ru_nivcsw)
        self.steps += 1
        self.write_head()
