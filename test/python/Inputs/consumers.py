"""consumers.py TRACE FOLDER: DuckDB, polars and pandas take a table, and files of it have the same."""

import os
import sys

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet

import seamscope

path, folder = sys.argv[1:]
tables = seamscope.open(path)
wanted = pyarrow.table(tables.slice).to_pylist()
names = [each["name"] for each in wanted]
assert polars.DataFrame(tables.slice)["name"].to_list() == names
assert pandas.DataFrame.from_arrow(tables.slice)["name"].to_list() == names
# A table can be taken again and again, and outlives the trace.
slices = tables.slice
count = duckdb.sql("select count(*), sum(dur), count(distinct name) from slices").fetchall()[0]
assert count == (len(names), sum(each["dur"] for each in wanted), len(set(names))), count
kept = pyarrow.table(tables.kernels)
joined = tables.sql("""
    select t.name as thread, count(*) as calls, sum(s.dur) as ns from slice s
    join track using (track_id) join thread t using (utid) where s.kind = 'kernel' group by all""").fetchall()
assert sum(calls for _, calls, _ in joined) == sum(each["kind"] == "kernel" for each in wanted) > 0, joined
assert tables.sql("select sum(calls) from kernels").fetchall()[0][0] == sum(kept["calls"].to_pylist())

assert repr(tables.kernels) == f"<seamscope table kernels of {path}>" and "kernels" in tables.names
for wrong in (lambda: tables["nothing"], lambda: tables.nothing):
    try:
        wrong()
        raise SystemExit("a table that is not there")
    except (KeyError, AttributeError) as error:
        assert "no table 'nothing'" in str(error), error

tables.to_parquet(folder)
for table in tables:
    ours, file = pyarrow.table(table), os.path.join(folder, table.name + ".parquet")
    read = pyarrow.parquet.read_table(file)
    assert read.to_pylist() == ours.to_pylist(), table
    assert not any(pyarrow.types.is_dictionary(field.type) for field in read.schema), read.schema
assert duckdb.sql(f"select sum(dur) from '{folder}/slice.parquet'").fetchall()[0][0] == count[1]
try:
    tables.to_parquet(folder)
    raise SystemExit("a folder was overwritten")
except seamscope.Error as error:
    assert "is there already" in str(error), error

tables.close()
assert kept.num_rows == pyarrow.table(kept).num_rows > 0
try:
    pyarrow.table(slices)
    raise SystemExit("a closed trace was read")
except seamscope.Error as error:
    assert str(error).endswith("is closed"), error
for wrong, text in ((folder + "/absent", "No such file"), (__file__, "not")):
    try:
        seamscope.open(wrong)
        raise SystemExit(f"{wrong} was read")
    except seamscope.Error as error:
        assert text in str(error) and wrong in str(error), error
print(f"{len(names)} slices, {len(tables.names)} tables")
