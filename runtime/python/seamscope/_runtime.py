#===- _runtime.py - libseamscope ---------------------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The functions of seamscope/seamscope.h and seamscope/spans.h that the package calls."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from pathlib import Path

from seamscope._tree import Error, library

OFF, PROFILE, TRACE = 0, 1, 2
_OK = 0


class _Window(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_uint64), ("end", ctypes.c_uint64)]


class Runtime:
    """The library, loaded globally so that kernels loaded later find it."""

    def __init__(self) -> None:
        path = library()
        try:
            loaded = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            raise Error(f"{path}: cannot be loaded: {error}") from None
        self._loaded = loaded
        loaded.seamscope_version.restype = ctypes.c_char_p
        self.now = loaded.seamscope_now
        self.now.restype = ctypes.c_uint64
        self.mode = loaded.seamscope_mode
        #: The mode of the environment; `seamscope run` sets it to record the whole program.
        self.first_mode: int = self.mode()

    def version(self) -> str:
        text: bytes = self._loaded.seamscope_version()
        return text.decode()

    def set_mode(self, mode: int) -> None:
        if self._loaded.seamscope_set_mode(mode) != _OK:
            raise Error("nothing can be recorded; see the message above")

    def write_nothing_at_exit(self) -> None:
        self._loaded.seamscope_set_output(None)

    def write(self, path: Path, windows: Sequence[tuple[int, int]]) -> None:
        """Writes a trace of the calls that began in the windows, given as readings of `now()`."""
        array = (_Window * len(windows))(*(_Window(*each) for each in windows))
        if self._loaded.seamscope_write(os.fsencode(path), array, len(windows)) != _OK:
            raise Error(f"{path}: the trace cannot be written; see the message above")
