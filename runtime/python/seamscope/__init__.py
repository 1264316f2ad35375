#===- __init__.py - Seamscope from Python ----------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Timing, work and source lines of fused kernels.

`seamscope.open` reads a trace, whose tables pyarrow, DuckDB, polars and pandas take.
`seamscope.torch` records functions compiled by torch.compile and compares them with eager mode.
Importing `seamscope` changes nothing in the process. Importing `seamscope.torch` prepares the process;
import it before torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seamscope._tree import Error, library, prefix, tool
from seamscope._version import __version__

__all__ = ["Error", "Table", "Tables", "__version__", "library", "open", "prefix",
           "recipes", "tool"]

if TYPE_CHECKING:
    from seamscope._tables import Table, Tables, open, recipes


def __getattr__(name: str) -> Any:
    # What needs ctypes is loaded when it is used: `seamscope.torch` runs in the programs of others.
    if name in ("Table", "Tables", "open", "recipes"):
        from seamscope import _tables

        return getattr(_tables, name)
    raise AttributeError(f"module 'seamscope' has no attribute '{name}'")
