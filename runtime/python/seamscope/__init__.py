#===- __init__.py - Seamscope from Python ----------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Timing, work and source lines of fused kernels.

`seamscope.torch` records and compares what torch.compile makes of a function. Importing `seamscope`
itself changes nothing in the process; importing `seamscope.torch` prepares it, and is best done
before torch is imported.
"""

from __future__ import annotations

from seamscope._tree import Error, library, prefix, tool
from seamscope._version import __version__

__all__ = ["Error", "__version__", "library", "prefix", "tool"]
