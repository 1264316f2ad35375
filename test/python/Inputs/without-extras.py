"""without-extras.py TRACE: a trace is opened, and its tables are listed, by a Python without pyarrow and DuckDB."""

import sys

import seamscope

with seamscope.open(sys.argv[1], quiet=True) as tables:
    columns = tables.slice.columns
    assert columns["dur"] == "in ns" and "name" in columns, columns
    assert tables.kernels.__arrow_c_stream__() and tables.kernels.__arrow_c_schema__()
    for ask in (lambda: tables.sql("select 1"), lambda: tables.to_parquet("never")):
        try:
            ask()
            raise SystemExit("it has them")
        except seamscope.Error as error:
            print(error)
