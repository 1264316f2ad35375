"""Content of an output for comparisons.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import contextlib
import zipfile


def contents(path):
    """A file's bytes; of a complete workbook without its creation time."""
    if path.suffix == ".xlsx" and zipfile.is_zipfile(path):
        with contextlib.suppress(ValueError, OSError, zipfile.BadZipFile), zipfile.ZipFile(path) as book:
            return [(name, book.read(name)) for name in book.namelist() if name != "docProps/core.xml"]
    return path.read_bytes()
