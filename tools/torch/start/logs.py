#===- logs.py - ends torch's compile log if it cannot be written ------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`seamscope run` makes torch write its structured log (TORCH_TRACE). If that fails, torch raises an error in the
program's compiled call, or prints a traceback per record. A program that did not ask for the log must not see
either, so the log ends.
"""

import sys

from _seamscope_waiting import failed, guarded

ENDS = "torch's log of what it compiles ends here: kernels may lack their operators and lines"


def watch_logging(internal):
    """Call with torch._logging._internal. A second call does nothing."""
    handler = internal.LazyTraceHandler
    if getattr(handler.emit, "_of_seamscope", False):
        return
    emit = handler.emit

    @guarded(ENDS)
    def end(self, error):
        failed(ENDS, error)
        internal.trace_log.removeHandler(self)
        stream, self.stream = self.stream, None
        try:
            if stream is not None:
                stream.close()
        except OSError:
            pass  # buffered records are lost too

    def watched(self, record):
        try:
            emit(self, record)
        except Exception as error:  # noqa: BLE001 - the folder, the file
            end(self, error)

    watched._of_seamscope = True
    handler.emit = watched
    # The logging library calls this on an error in a handler.
    handler.handleError = lambda self, record: end(self, sys.exc_info()[1])
