"""Pages that the tool itself wrote: their contents, and what these must agree with.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import base64
import gzip
import html.parser
import json
import math
import re
import subprocess
from decimal import Decimal

TOOL_LIMIT = 120


class Scripts(html.parser.HTMLParser):
    """The data elements of a page, by id."""

    def __init__(self, text):
        super().__init__()
        self.found, self.now = {}, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.now = dict(attributes).get("id") if tag == "script" else None
        if self.now:
            self.found[self.now] = ""

    def handle_endtag(self, tag):
        self.now = None

    def handle_data(self, text):
        if self.now:
            self.found[self.now] += text


def texts_of(data, count):
    """The packed texts: their lengths as LEB128, then all of them."""
    lengths, at = [], 0
    for _ in range(count):
        length = shift = 0
        while True:
            byte = data[at]
            at += 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        lengths.append(length)
    texts = []
    for length in lengths:
        texts.append(data[at:at + length].decode())
        at += length
    assert at == len(data)
    return texts


def document_of(path):
    """The document of a page, with the packed parts put back in their places."""
    with open(path, encoding="utf-8") as file:
        elements = Scripts(file.read()).found

    def arrays_of(element):
        return json.loads(gzip.decompress(base64.b64decode(elements[element], validate=True)))

    doc = json.loads(elements["document"])
    texts = []
    if "texts" in doc:
        texts = texts_of(gzip.decompress(base64.b64decode(elements["packed-texts"], validate=True)), doc["texts"])
        assert texts == sorted(set(texts), key=lambda text: (text.encode().lower(), text.encode()))
    for item in items(doc):
        if item["type"] == "table" and "packed" in item:
            arrays = arrays_of(item["packed"])
            for at, column in enumerate(item["columns"]):
                if column.get("texts"):
                    arrays[at] = [texts[cell] if isinstance(cell, int) else cell for cell in arrays[at]]
            assert len(arrays) == len(item["columns"]) and all(len(array) == item["count"] for array in arrays)
            item["rows"] = [list(row) for row in zip(*arrays)]
        elif item.get("kind") == "flame":
            for view in item["data"]["views"]:
                if "packed" in view:
                    names, *arrays = arrays_of(view["packed"])
                    view["names"] = [texts[name] for name in names]
                    view["parent"], view["name"], view["self"], view["count"] = arrays
        elif item.get("kind") == "timeline" and "packed" in item["data"]:
            names, item["data"]["name_kind"] = arrays_of(item["data"]["packed"])
            item["data"]["names"] = [texts[name] for name in names]
    return doc


def run(tool, arguments, status=0):
    done = subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=TOOL_LIMIT)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout


def make(tool, arguments, path, status=0):
    """The page of a command at a path, its document, and the JSON of the same command."""
    run(tool, [*arguments, "--html", "-o", path], status)
    return document_of(path), json.loads(run(tool, [*arguments, "--json"], status))


def at(data, key):
    """The value at a key whose dots lead into objects; None: no value."""
    for part in key.split("."):
        if not isinstance(data, dict) or part not in data:
            return None
        data = data[part]
    return data


def has(data, key):
    return at(data, key) is not None or (isinstance(data, dict) and data.get(key, 1) is None)


def items(doc):
    return [item for section in doc["sections"] for item in section["items"]]


def value(cell):
    if isinstance(cell, dict) and "file" in cell:
        return {key: cell[key] or None for key in ("file", "line", "column")}
    return cell["v"] if isinstance(cell, dict) else cell


def same(mine, theirs):
    if isinstance(mine, float) or isinstance(theirs, float):
        return mine is not None and theirs is not None and abs(mine - theirs) <= 1e-12 * abs(theirs)
    if isinstance(theirs, dict) and "file" in theirs:
        # If a place is not known, the page has nothing for it.
        return mine == theirs or (mine is None and theirs["file"] is None)
    return mine == theirs


def check_tables(doc, data):
    """Compares the figures of each table that is also in the JSON; returns their number, by table."""
    compared = {}
    for item in items(doc):
        rows = at(data, item["id"]) if item["type"] == "table" else None
        if not isinstance(rows, list) or not rows or not isinstance(rows[0], dict):
            continue
        assert len(item["rows"]) >= len(rows), item["id"]
        # Only columns in which no row has a value are left out.
        if item["id"] == "kernels" and data["schema"].startswith("seamscope.report/"):
            shown = [column["key"] for column in item["columns"]]
            for key in ("self_ns", "p99_ns", "device", "flop", "bytes", "flop_per_s", "bytes_per_s", "flop_per_byte"):
                known = any(row.get(key) is not None for row in rows)
                # The page also has the rows that --top removes from the JSON.
                assert key in shown if known else key not in shown or len(item["rows"]) > len(rows), key
        for number, row in enumerate(rows):
            for column, cell in zip(item["columns"], item["rows"][number]):
                if not has(row, column["key"]):
                    continue
                mine, theirs = value(cell), at(row, column["key"])
                if column["unit"] == "place" and isinstance(mine, str):
                    # Packed, as it is shown.
                    name = theirs["file"].split("/")[-1]
                    mine = theirs if mine.endswith(f"{name}:{theirs['line']}:{theirs['column']}") else mine
                assert same(mine, theirs), (item["id"], number, column["key"], mine, theirs)
                compared[item["id"]] = compared.get(item["id"], 0) + 1
    return compared


def check_numbers(of):
    """No number that a browser would silently round: such numbers come with their text."""
    if isinstance(of, dict):
        assert "v" not in of or "s" in of, of
        for key, each in of.items():
            if key != "v":
                check_numbers(each)
    elif isinstance(of, list):
        for each in of:
            check_numbers(each)
    elif isinstance(of, int):
        assert abs(of) <= 2**53, of


def is_time(text, ns):
    """Whether it shows that many ns, to its last digit; halfway between two, either is right."""
    number, _, unit = text.partition(" ")
    size, digits = {"ns": (1, 0), "us": (1000, 2), "ms": (10**6, 3), "s": (10**9, 3)}[unit]
    assert number == f"{Decimal(number):.{digits}f}", text
    # The unit is the largest of which the value is at least one.
    assert Decimal(number) < 1000 or unit == "s", text
    return abs(Decimal(number) * size - ns) * 2 * 10**digits <= size and (size == 1 or abs(Decimal(number)) >= 1)


def log_scale(ticks, value_of):
    """Maps values to pixels, by the first and the last of an axis's ticks, [(text, pixel)]."""
    (a, at_a), (b, at_b) = ((value_of(text), place) for text, place in (ticks[0], ticks[-1]))
    return lambda value: at_a + (at_b - at_a) * math.log(value / a) / math.log(b / a)


class Events:
    """The events of a trace, from its JSON: (thread, begin, duration, name, category)."""

    def __init__(self, path, begin=None):
        with open(path, encoding="utf-8") as file:
            data = json.load(file, parse_float=Decimal)
        self.all = []
        for event in data["traceEvents"] if isinstance(data, dict) else data:
            if event.get("ph") == "X":
                self.all.append(((event["pid"], event["tid"]), int(Decimal(event["ts"]) * 1000),
                                 int(Decimal(event["dur"]) * 1000), event["name"], event.get("cat", "")))

    def by_name(self, without=()):
        sums = {}
        for _, _, duration, name, category in self.all:
            if category in without:
                continue
            entry = sums.setdefault(name, [0, 0])
            entry[0] += 1
            entry[1] += duration
        return sums

    def outermost(self, without=()):
        """The time of calls that are in no other call on their thread, summed over threads."""
        ends, total = {}, 0
        for thread, begin, duration, _, category in sorted(
            self.all, key=lambda event: (event[1], -event[2])):
            if category in without:
                continue
            if begin >= ends.get(thread, begin):
                total += duration
                ends[thread] = begin + duration
        return total


def check_timeline(window, events, idle="idle: "):
    """Calls and time by name in the sums of the whole timeline."""
    window.go("timeline")
    window.timelines_ready()
    window.wait("return document.querySelector('.timeline-sums section.table')")
    rows = window.cells(".timeline-sums section.table")
    got = {}
    for name, _, calls, total, *_ in rows:
        if name.startswith(idle):
            continue
        # Kernels of one name have their files behind it; events do not.
        entry = got.setdefault(re.sub(r" \(\w+\.c\)$", "", name), [0, 0])
        entry[0] += calls
        entry[1] += total
    assert got == events.by_name(), {
        name: (got.get(name), sums) for name, sums in events.by_name().items() if got.get(name) != sums} or (
            set(got) - set(events.by_name()))


def check_shown(window, section):
    """The cells of a section's rows show the values of its document, in units for people."""
    window.go(section)
    tables = window.run(
        "return [...document.querySelectorAll(`#section-${arguments[0]} section.table`)].map((element) => {"
        "  const table = seamscopePage.table(element);"
        "  const shown = table.columns.map((column, place) => ({place, ...column})).filter(({shown}) => shown);"
        "  return [...element.querySelectorAll('tr.row')].map((row) => shown.map(({key, unit, place}, at) => ["
        "    key, unit, table.cell(Number(row.dataset.row), place), row.cells[at].textContent])); })", section)
    count = 0
    for rows in tables:
        for row in rows:
            for key, unit, cell, text in row:
                if unit == "ns" and isinstance(cell, int):
                    assert is_time(text, cell), (key, cell, text)
                elif unit == "count" and isinstance(cell, int):
                    assert text.replace("\u202f", "") == str(cell) or (
                        abs(cell) >= 10**15 and abs(float(text) - cell) < cell / 1000), (key, cell, text)
                elif isinstance(cell, dict) and cell.get("s"):
                    assert text == cell["s"] or "…" in text or "\\" in text, (key, cell, text)
                else:
                    continue
                count += 1
    return count


def escaped(name):
    """Like the page's text for invisible characters, for those that the tests use."""
    return "".join(f"\\u{{{ord(one):x}}}" if ord(one) < 32 or one == "\u202e" else one for one in name)


def visit(window, doc):
    """Opens each section; no part of any fails to be shown."""
    for section in doc["sections"]:
        window.go(section["id"])
        window.timelines_ready()
        text = window.text(f"#section-{section['id']}")
        assert "cannot be shown" not in text, text
    window.check_quiet()


def follow_links(window, doc):
    """Each finding of the first section leads to a row or a section; returns how many lead to a row."""
    rows = 0
    findings = [item for item in doc["sections"][0]["items"] if item["type"] == "finding"]
    for number, item in enumerate(findings):
        link = item["link"]
        if not link:
            continue
        window.go("summary")
        window.run(
            "document.querySelectorAll('#section-summary article.finding')[arguments[0]]"
            ".querySelector('a.evidence').click()", number)
        if "table" not in link:
            window.wait("return !document.getElementById(`section-${arguments[0]}`).hidden", link["section"])
            continue
        table = next(each for each in items(doc) if each["type"] == "table" and each["id"] == link["table"])
        name = str(value(table["rows"][link["row"]][0]))
        assert window.wait("return document.querySelector('#panel:not([hidden]) h2')?.title") == escaped(name)
        regions = [chart["title"].removeprefix("Threads of ")
                   for chart in table["details"][str(link["row"])] if chart["type"] == "chart"]
        # A long name has its middle cut out.
        assert any(each[:20] in item["text"] and each[-8:] in item["text"] for each in [name, *regions]), (
            name, regions, item["text"])
        rows += 1
    return rows


def open_panels(window, doc, most=8):
    """The panel of each kernel: its name, and charts and calls for as many as the row says."""
    table = next(each for each in items(doc) if each["type"] == "table" and each["id"] == "kernels")
    keys = [column["key"] for column in table["columns"]]
    count = min(most, len(table["rows"]))
    for row in range(count):
        window.open(window.path, f"#at=kernels&row=kernels.{row}")
        cells = dict(zip(keys, map(value, table["rows"][row])))
        assert window.wait("return document.querySelector('#panel:not([hidden]) h2')?.title") == escaped(
            cells["name"])
        details = table["details"][str(row)]
        launches = next(each for each in details if each["type"] == "table" and each["id"] == "launches")
        assert launches["title"] == f"The longest of its {cells['calls']} calls", (launches["title"], cells)
        if cells["calls"] <= 100:
            assert sum(each[1] for each in launches["rows"]) == cells["total_ns"], cells
        assert launches["rows"][0][1] == cells["max_ns"], cells
        for chart in details:
            if chart["type"] == "chart" and chart["kind"] == "histogram":
                assert sum(chart["data"]["counts"]) == cells["calls"], cells
        assert "cannot be shown" not in window.text("#panel")
    window.check_quiet()
    return count
