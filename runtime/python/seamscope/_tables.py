#===- _tables.py - the tables of a trace ------------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Traces as columns in memory, by libseamscope-trace, and queries of them. A table has Arrow's PyCapsule
interface, so that pyarrow, DuckDB, polars and pandas take it as it is. None of them is needed to open a trace.
docs/formats.md, "Arrow tables", has the tables and their columns.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
import threading
from pathlib import Path
from typing import Any, Iterator

from seamscope._tree import Error, message, prefix

__all__ = ["Table", "Tables", "open", "recipes"]


class _Schema(ctypes.Structure):
    """Arrow's struct of the same name, as far as it is read here."""


_Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p),
                    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
                    ("dictionary", ctypes.POINTER(_Schema)),
                    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
                    ("private_data", ctypes.c_void_p)]


class _Stream(ctypes.Structure):
    pass


_Stream._fields_ = [("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
                    ("get_next", ctypes.c_void_p), ("get_last_error", ctypes.c_void_p),
                    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))), ("private_data", ctypes.c_void_p)]

_loaded: ctypes.CDLL | None = None


def _library() -> ctypes.CDLL:
    global _loaded
    if _loaded is None:
        path = prefix() / "lib" / "libseamscope-trace.so"
        try:
            its = ctypes.CDLL(str(path))
        except OSError as error:
            raise Error(f"{path}: cannot be loaded: {error}") from None
        pointer = ctypes.c_void_p
        for function in (its.seamscope_trace_open, its.seamscope_trace_open_model):
            function.argtypes = [ctypes.c_char_p, ctypes.POINTER(pointer)]
        its.seamscope_trace_head.argtypes, its.seamscope_trace_head.restype = [pointer], ctypes.c_char_p
        its.seamscope_trace_set_python.argtypes, its.seamscope_trace_set_python.restype = [ctypes.c_char_p], None
        its.seamscope_trace_set_python(os.fsencode(sys.executable))
        its.seamscope_trace_close.argtypes = [pointer]
        its.seamscope_trace_close.restype = None
        for function in (its.seamscope_trace_message, its.seamscope_trace_table_name):
            function.argtypes, function.restype = [pointer, ctypes.c_size_t], ctypes.c_char_p
        its.seamscope_trace_forget.argtypes, its.seamscope_trace_forget.restype = [pointer, ctypes.c_char_p], None
        its.seamscope_trace_table.argtypes = [pointer, ctypes.c_char_p, pointer]
        _loaded = its
    return _loaded


_malloc = ctypes.CDLL(None).malloc
_malloc.argtypes, _malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
_free = ctypes.CDLL(None).free
_free.argtypes, _free.restype = [ctypes.c_void_p], None
_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.argtypes, _capsule.restype = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p], ctypes.py_object


def _address(function: Any) -> int | None:
    return ctypes.cast(function, ctypes.c_void_p).value


class Table:
    """A table of a trace. Takes memory once it is used."""

    def __init__(self, of: Tables, name: str) -> None:
        self._of = of
        self.name = name

    def __repr__(self) -> str:
        return f"<seamscope table {self.name} of {self._of.path}>"

    def _stream(self) -> int:
        """The address of a new stream, from malloc()."""
        address = _malloc(ctypes.sizeof(_Stream))
        if not address:
            raise MemoryError
        try:
            self._of._fill(self.name, address)
        except BaseException:
            _free(address)
            raise
        return address

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        # A schema that is asked for may be ignored: the consumer casts.
        return _capsule(self._stream(), b"arrow_array_stream", _address(_library().seamscope_trace_free_stream_capsule))

    def _schema(self) -> int:
        """The address of its schema, from malloc()."""
        address = self._stream()
        stream = _Stream.from_address(address)
        schema = _malloc(ctypes.sizeof(_Schema))
        try:
            if not schema or stream.get_schema(ctypes.byref(stream), _Schema.from_address(schema)):
                _free(schema)
                raise MemoryError
        finally:
            stream.release(ctypes.byref(stream))
            _free(address)
        return schema

    def __arrow_c_schema__(self) -> object:
        return _capsule(self._schema(), b"arrow_schema", _address(_library().seamscope_trace_free_schema_capsule))

    @property
    def columns(self) -> dict[str, str]:
        """Names of the columns, with a sentence on each."""
        address = self._schema()
        schema = _Schema.from_address(address)
        found = {}
        for number in range(schema.n_children):
            child = schema.children[number].contents
            found[child.name.decode()] = _help(child.metadata)
        schema.release(ctypes.byref(schema))
        _free(address)
        return found


def _help(metadata: int) -> str:
    """The value of the only key, "help"."""
    key = ctypes.c_int32.from_address(metadata + 4).value
    size = ctypes.c_int32.from_address(metadata + 8 + key).value
    return ctypes.string_at(metadata + 12 + key, size).decode()


class Tables:
    """The tables of a trace, or of the traces in a folder: `tables["slice"]`, `tables.kernels`. Also a context
    manager: at its end, or when it is collected, the trace's memory is given back, but for tables in use."""

    def __init__(self, path: str | os.PathLike[str], *, quiet: bool = False, _model: bool = False) -> None:
        self.path = os.fspath(path)
        self._lock = threading.Lock()
        self._trace = ctypes.c_void_p()
        library = _library()
        opened = library.seamscope_trace_open_model if _model else library.seamscope_trace_open
        status = opened(os.fsencode(self.path), ctypes.byref(self._trace))
        #: What was said about the trace, a sentence each.
        self.messages = self._texts(library.seamscope_trace_message) if self._trace else ["out of memory"]
        if status:
            self.close()
            raise Error(self.messages[-1] if self.messages else f"{self.path}: cannot be read")
        #: Names of tables.
        self.names = self._texts(library.seamscope_trace_table_name)
        if not quiet:
            for each in self.messages:
                message(each)

    def _texts(self, function: Any) -> list[str]:
        found: list[str] = []
        while (text := function(self._trace, len(found))) is not None:
            found.append(text.decode(errors="replace"))
        return found

    def _fill(self, name: str, address: int) -> None:
        with self._lock:
            if not self._trace:
                raise Error(f"{self.path}: is closed")
            if _library().seamscope_trace_table(self._trace, name.encode(), address):
                raise Error(f"{self.path}: {self._texts(_library().seamscope_trace_message)[-1]}")

    def _forget(self, name: str) -> None:
        """Frees a table. The next use makes it again."""
        with self._lock:
            if self._trace:
                _library().seamscope_trace_forget(self._trace, name.encode())

    def _head(self) -> bytes:
        """The trace without its events, as JSON. For tables of the trace model only."""
        return _library().seamscope_trace_head(self._trace)

    def close(self) -> None:
        with self._lock:
            if self._trace:
                _library().seamscope_trace_close(self._trace)
                self._trace = ctypes.c_void_p()

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_trace", None):
            self.close()

    def __getitem__(self, name: str) -> Table:
        if name not in self.names:
            raise KeyError(f"{self.path} has no table '{name}'; there are {', '.join(self.names)}")
        return Table(self, name)

    def __getattr__(self, name: str) -> Table:
        if name.startswith("_") or name not in self.__dict__.get("names", ()):
            raise AttributeError(f"there is no table '{name}'")
        return Table(self, name)

    def __iter__(self) -> Iterator[Table]:
        return (Table(self, name) for name in self.names)

    def sql(self, query: str) -> Any:
        """The result of a query of these tables, by DuckDB (`pip install 'seamscope[sql]'`): a relation, which has
        fetchall(), df(), pl() and arrow()."""
        duckdb = extra("duckdb", "sql")
        connection = duckdb.connect()
        for name in named_in(query, self.names):
            connection.register(name, Table(self, name))
        return connection.sql(query)

    def recipe(self, name: str) -> Any:
        """The result of one of the queries that come with Seamscope; recipes() has their names."""
        return self.sql(recipe_text(name))

    def to_parquet(self, folder: str | os.PathLike[str]) -> None:
        """Writes each table to a file in a new folder, `slice.parquet` and so on, by pyarrow (`pip install
        'seamscope[sql]'`). The folder appears when it is complete. If it is of one trace, that is in its folder
        `model`, too, as it was read: `seamscope report FOLDER`, and others, take it as that trace."""
        from seamscope._parquet import write

        write(self, Path(folder))


def named_in(query: str, names: list[str]) -> list[str]:
    """Tables that a query may use. DuckDB takes the rows of a table when it is registered."""
    words = {each.lower() for each in re.findall(r"\w+", query)}
    return [name for name in names if name in words]


def recipes() -> dict[str, Path]:
    """Names and files of queries that come with Seamscope; the first line of each says what it answers."""
    folder = prefix() / "share" / "seamscope" / "sql"
    return {path.stem: path for path in sorted(folder.glob("*.sql"))}


def recipe_text(name: str) -> str:
    path = recipes().get(name)
    if path is None:
        raise Error(f"there is no recipe '{name}'; there are {', '.join(recipes())}")
    return path.read_text(encoding="utf-8")


def extra(module: str, group: str) -> Any:
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        raise Error(f"this needs {module}, which this Python does not have: "
                    f"pip install 'seamscope[{group}]'") from None


def open(path: str | os.PathLike[str], *, quiet: bool = False) -> Tables:
    """Reads a trace, the folder of a run, or one with the traces of ranks, as `seamscope report` does. Sentences about
    the trace go to stderr, unless `quiet`, and are in `messages`. Raises Error if it cannot be read."""
    return Tables(path, quiet=quiet)
