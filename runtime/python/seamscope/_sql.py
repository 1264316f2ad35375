#===- _sql.py - seamscope sql -------------------------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Queries the tables of traces, by DuckDB: what `seamscope sql` runs. The command has checked the options."""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import sys
from typing import IO, Any

from seamscope._datasets import scan, tables_of
from seamscope._tables import extra, named_in, open as open_trace, recipe_text
from seamscope._tree import Error

BAD_DATA, BAD_USAGE = 1, 2


class Session:
    """The tables of one trace or dataset; those of several have a column `trace_path`."""

    def __init__(self, paths: list[str]) -> None:
        self.duckdb = extra("duckdb", "sql")
        self.connection = self.duckdb.connect()
        #: Where the tables of each are: a trace that was read, or files by table.
        self.sources = [(path, tables_of(path) or open_trace(path)) for path in paths]
        # A query is not to read other files, such as by a name in a trace that was pasted into it.
        folders = ["'{}'".format(os.path.abspath(path).replace("'", "''")) for path, source in self.sources
                   if isinstance(source, dict)]
        self.connection.execute(f"set allowed_directories = [{', '.join(folders)}]")
        self.connection.execute("set enable_external_access = false")
        self.names = list(dict.fromkeys(name for _, source in self.sources
                                        for name in (source if isinstance(source, dict) else source.names)))
        self.known: set[str] = set()

    def _register(self, name: str) -> None:
        self.known.add(name)
        parts = []
        for number, (path, source) in enumerate(self.sources):
            if isinstance(source, dict):
                if name not in source:
                    continue
                rows = scan(source[name])
            else:
                self.connection.register(f"{name} {number}", source[name])
                rows = f'"{name} {number}"'
            escaped = path.replace("'", "''")
            of = f", '{escaped}' as trace_path" if len(self.sources) > 1 else ""
            parts.append(f"select *{of} from {rows}")
        self.connection.execute(f"create view \"{name}\" as {' union all by name '.join(parts)}")

    def run(self, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        try:
            for name in named_in(query, self.names):
                if name not in self.known:
                    self._register(name)
            found = self.connection.sql(query)
            return (list(found.columns), found.fetchall()) if found is not None else ([], [])
        except self.duckdb.Error as error:
            raise Error("sql: " + "; ".join(line.strip() for line in str(error).splitlines() if line.strip())) from None


def shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    # Names come from traces.
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in str(value))


def plain(value: Any) -> Any:
    """As JSON has it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def write(columns: list[str], rows: list[tuple[Any, ...]], form: str, out: IO[str]) -> None:
    if form == "json":
        json.dump({"schema": "seamscope.sql/1", "columns": columns,
                   "rows": [[plain(value) for value in row] for row in rows]}, out, indent=1)
        out.write("\n")
    elif form == "csv":
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([columns, *(["" if value is None else value for value in row] for row in rows)])
    elif form == "markdown":
        def line(cells: list[str]) -> str:
            return "| " + " | ".join(each.replace("|", "\\|") for each in cells) + " |\n"
        out.write(line(columns) + line(["---"] * len(columns)))
        out.writelines(line([shown(value) for value in row]) for row in rows)
    elif columns:
        cells = [[shown(value) for value in row] for row in rows]
        most = 60  # of a text
        cells = [[each if len(each) <= most else each[:most - 1] + "…" for each in row] for row in cells]
        widths = [max([len(name), *(len(row[at]) for row in cells)]) for at, name in enumerate(columns)]
        right = [all(row[at] is None or isinstance(row[at], (int, float)) for row in rows) and bool(rows)
                 for at in range(len(columns))]
        for row in [columns, *cells]:
            out.write("  ".join(each.rjust(width) if number else each.ljust(width)
                                for each, width, number in zip(row, widths, right)).rstrip() + "\n")


def statements(source: IO[str]) -> Any:
    """Each statement, up to its semicolon at the end of a line."""
    interactive = source.isatty()
    text = ""
    while True:
        if interactive:
            print("      ...> " if text else "seamscope> ", end="", flush=True)
        line = source.readline()
        text += line
        if text.strip() and (not line or line.rstrip().endswith(";")):
            yield text.strip().rstrip(";")
            text = ""
        if not line:
            return


def shell(session: Session, form: str, out: IO[str]) -> int:
    status = 0
    for query in statements(sys.stdin):
        try:
            write(*session.run(query), form, out)
            out.flush()
        except Error as error:
            print(f"seamscope: {error}", file=sys.stderr)
            status = BAD_DATA
    return status


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="seamscope sql", add_help=False)
    parser.add_argument("--form", default="text")
    parser.add_argument("--output")
    parser.add_argument("--recipe")
    parser.add_argument("words", nargs="*")
    given = parser.parse_args(arguments)
    query, paths = None, given.words
    try:
        if given.recipe:
            try:
                query = recipe_text(given.recipe)
            except Error as error:
                print(f"seamscope: sql: {error}", file=sys.stderr)
                return BAD_USAGE
        elif paths and not os.path.exists(paths[0]):
            query, paths = paths[0], paths[1:]
        if not paths:
            print("seamscope: sql: name a trace or the folder of one, after the query", file=sys.stderr)
            return BAD_USAGE
        session = Session(paths)
        # Written whole or not at all.
        hidden = f"{given.output}.{os.getpid()}.part" if given.output else None
        out = open(hidden, "x", encoding="utf-8") if hidden else sys.stdout
        try:
            if query is None:
                status = shell(session, given.form, out)
            else:
                write(*session.run(query), given.form, out)
                status = 0
            out.flush()
            if hidden:
                out.close()
                os.replace(hidden, given.output)
                hidden = None
            return status
        finally:
            if hidden:
                out.close()
                os.unlink(hidden)
    except Error as error:
        print(f"seamscope: {error}", file=sys.stderr)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"seamscope: {error.filename or given.output}: {error.strerror}", file=sys.stderr)
    return BAD_DATA


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
