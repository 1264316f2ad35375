"""check-tables.py SEAMSCOPE TRACE...: each table of a trace, out of Arrow, has what the JSON of `report` and `kernels` has,
and what the events of the trace have, read by this script alone."""

import collections
import gzip
import json
import math
import os
import re
import subprocess
import sys

import pyarrow

import seamscope


def output(*command):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120, check=False)
    return json.loads(ran.stdout) if ran.stdout else None


def is_rows(value):
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


class Flat:
    """A JSON object as rows of tables."""

    def __init__(self):
        self.tables = collections.defaultdict(list)

    def add(self, name, record, outer=()):
        rows = self.tables[name]
        row = {"row": len(rows), **dict(outer)}
        rows.append(row)
        self._fill(name, "", record, row)

    def _fill(self, name, prefix, record, row):
        for key, value in record.items():
            column = prefix + key.replace(".", "_")
            if isinstance(value, dict):
                self._fill(name, column + "_", value, row)
            elif is_rows(value):
                for each in value:
                    self.add(f"{name}_{column}", each, {f"{name}_row": row["row"]})
            elif column == "ops" and name == "kernels" and value:  # names alone
                for each in value:
                    self.add("kernels_ops", {"name": each}, {"kernels_row": row["row"]})
            elif isinstance(value, list):
                row[column] = value
            else:
                row[column] = int(value) if isinstance(value, bool) else value


def flattened(report):
    flat = Flat()
    single = {key: value for key, value in report.items() if not isinstance(value, list) and key != "schema"}
    # An object of the report itself: its arrays are tables.
    def split(prefix, values):
        for key, value in list(values.items()):
            name = prefix + key
            if is_rows(value):
                for each in value:
                    flat.add(name, each)
                del values[key]
            elif isinstance(value, list) and not value:
                del values[key]
            elif isinstance(value, dict):
                split(name + "_", value)
    split("", single)
    flat.add("report", single)
    for key, value in report.items():
        if is_rows(value):
            for each in value:
                flat.add(key, each)
        elif isinstance(value, list):
            for each in value:
                flat.tables[key].append({"value": each})
    return flat.tables


def equal(ours, theirs):
    if isinstance(theirs, list):
        return (json.loads(ours) if ours is not None else []) == theirs
    if isinstance(theirs, float) and isinstance(ours, (int, float)):
        return math.isclose(ours, theirs, rel_tol=1e-12)
    if isinstance(ours, str) and not isinstance(theirs, str) and theirs is not None:
        return ours == json.dumps(theirs)
    return ours == theirs


def compare(where, table, rows):
    ours = table.to_pylist()
    assert len(ours) == len(rows), f"{where}: {len(ours)} rows, not {len(rows)}"
    for mine, its in zip(ours, rows):
        for key, value in its.items():
            assert key in mine or value in (None, []), f"{where}: no column {key}"
            assert equal(mine.get(key), value), f"{where}: {key} is {mine.get(key)!r}, not {value!r}"
        for key, value in mine.items():
            assert key in its or value in (None, "[]") or key == "row", f"{where}: JSON has no {key} = {value!r}"


def events_of(path):
    """Complete events as the trace has them: how many there are of each name, and how long they are in all."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        trace = json.loads(file.read())
    found = collections.defaultdict(lambda: [0, 0])
    for each in trace["traceEvents"] if isinstance(trace, dict) else trace:
        if each.get("ph") == "X" and each.get("dur") is not None:
            its = found[each["name"]]
            its[0] += 1
            its[1] += round(float(each["dur"]) * 1000)
    return found


def check_docs(tables):
    """docs/formats.md names each column of the tables of events."""
    with open(os.path.join(os.path.dirname(__file__), "../../../docs/formats.md"), encoding="utf-8") as file:
        text = file.read()
    text = text[text.index("## Arrow tables"):text.index("Tables of the report")]
    events = [name for name in tables.names[:tables.names.index("report")]]
    text, of_slice = text.split("| column of `slice` |")
    lines = dict(line.strip("| ").split(" | ", 1) for line in text.splitlines() if line.startswith("| `"))
    lines["`slice`"] = " ".join(line.split(" | ")[0] for line in of_slice.splitlines())
    for name in events:
        named = re.findall(r"`(\w+)`", lines[f"`{name}`"])
        lacking = [column for column in tables[name].columns if column not in named]
        assert not lacking, f"docs/formats.md does not name {lacking} of {name}"


tool, *traces = sys.argv[1:]
schemas = {}
counts = collections.Counter()
for path in traces:
    report = output(tool, "report", "--json", path)
    if report is None:
        continue
    tables = seamscope.open(path, quiet=True)
    if not counts["traces"]:
        check_docs(tables)
    assert len(set(tables.names)) == len(tables.names), tables.names
    arrow = {name: pyarrow.table(tables[name]) for name in tables.names}
    for name, each in arrow.items():
        each.validate(full=True)
        known = schemas.setdefault(name, each.schema)
        assert each.schema.equals(known, check_metadata=True), f"{path}: {name} has other columns: {each.schema}, {known}"
        assert all(str(field.type) in ("int32", "int64", "double", "string",
                                       "dictionary<values=string, indices=int32, ordered=0>")
                   for field in each.schema), each.schema
    for name, rows in flattened(report).items():
        assert name in arrow or not rows, f"{path}: no table {name}"
        if rows:
            compare(f"{path}: {name}", arrow[name], rows)
            counts["rows"] += len(rows)
            counts["tables"] += 1
    launches = output(tool, "kernels", "--json", path)
    if launches:
        flat = Flat()
        for each in launches["kernels"]:
            flat.add("launches", each)
        compare(f"{path}: launches", arrow["launches"], flat.tables["launches"])
    slices = arrow["slice"]
    assert slices.num_rows == arrow["report"]["trace_events"][0].as_py(), path
    ends = dict(zip(slices["id"].to_pylist(), map(sum, zip(slices["ts"].to_pylist(), slices["dur"].to_pylist()))))
    parents = slices.select(["id", "parent_id", "depth", "ts", "track_id"]).to_pylist()
    by_id = {each["id"]: each for each in parents}
    for each in parents:
        if each["parent_id"] is None:
            assert each["depth"] == 0, each
        else:
            outer = by_id[each["parent_id"]]
            assert outer["depth"] + 1 == each["depth"] and outer["track_id"] == each["track_id"], (each, outer)
            assert outer["ts"] <= each["ts"] <= ends[outer["id"]], (each, outer)
    for each in arrow["flow"].to_pylist():
        assert by_id.keys() >= {each["slice_out"], each["slice_in"]}, each
    if os.path.isfile(path) and not report["skipped"] and path.endswith((".json", ".json.gz")):
        ours = collections.defaultdict(lambda: [0, 0])
        for name, ns in zip(slices["name"].to_pylist(), slices["dur"].to_pylist()):
            ours[name][0] += 1
            ours[name][1] += ns
        theirs = events_of(path)
        same = sum(ours.get(name) == its for name, its in theirs.items())
        counts["names"] += len(theirs)
        counts["equal names"] += same
    counts["traces"] += 1
    counts["slices"] += slices.num_rows
print(", ".join(f"{count} {what}" for what, count in counts.items()))
