"""Parts of a document of the page: columns, tables, charts, timelines, and packed parts.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import gzip
import json

SCHEMA = "seamscope.page/1"
KINDS = ["kernel", "region", "operator", "wait", "copy", "idle"]


def column(key, title, unit, **more):
    left = unit in ("text", "name", "place", "list")
    return {"key": key, "title": title, "unit": unit, "align": "left" if left else "right",
            "help": more.get("help", ""), "total": more.get("total", "none"),
            "bar": more.get("bar", False), "hidden": more.get("hidden", False)}


def note(text, level="plain"):
    return {"type": "note", "level": level, "text": text}


def finding(kind, text, remedy, saving, share, link):
    return {"type": "finding", "kind": kind, "text": text, "remedy": remedy, "saving_ns": saving,
            "share": share, "link": link}


def table(ident, title, columns, rows, **more):
    return {"type": "table", "id": ident, "title": title, "columns": columns, "rows": rows, **more}


def code(title, language, first, lines, **more):
    return {"type": "code", "title": title, "language": language, "first": first, "lines": lines, **more}


def chart(ident, kind, title, **data):
    return {"type": "chart", "id": ident, "kind": kind, "title": title, "data": data}


def place(file, line, at=None):
    return {"file": file, "line": line, "column": at, "s": f"{file}:{line}" + (f":{at}" if at else "")}


def level(label, value):
    return {"label": label, "value": value}


def step(label, value, link=None):
    return {"label": label, "value": value, "link": link}


def bar(label, *values):
    return {"label": label, "values": list(values)}


def line_of(name, values):
    return {"name": name, "values": values}


def section(ident, title, *items):
    return {"id": ident, "title": title, "items": list(items)}


def document(*sections, **more):
    return {"schema": SCHEMA, "title": more.get("title", "test"), "verb": more.get("verb", "report"),
            "version": "0.0.0-test", "facts": more.get("facts", []), "sections": list(sections)}


def varint(value, out):
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)


class Packed:
    """The packed parts of a document, as the tool packs large tables and charts."""

    def __init__(self):
        self.words, self.blobs, self.waiting = set(), {}, []

    def table(self, ident, title, columns, rows, **more):
        """A packed table of a document; its element exists after finish()."""
        named = [entry["unit"] in ("name", "text", "place") for entry in columns]
        for row in rows:
            self.words.update(text for text, is_text in zip(map(self.text_of, row), named)
                              if is_text and text is not None)
        element = f"packed-rows-{len(self.waiting)}"
        self.waiting.append((element, rows, named))
        columns = [dict(entry, texts=True) if is_text else entry for entry, is_text in zip(columns, named)]
        return {"type": "table", "id": ident, "title": title, "columns": columns, "packed": element,
                "count": len(rows), **more}

    def view(self, view):
        """A packed view of a flame graph."""
        self.words.update(view["names"])
        element = f"packed-nodes-{len(self.waiting)}"
        self.waiting.append((element, view, None))
        return {"title": view["title"], "packed": element}

    @staticmethod
    def text_of(cell):
        return cell["s"] if isinstance(cell, dict) and "file" in cell else cell if isinstance(cell, str) else None

    def finish(self):
        """The elements, and how many texts there are."""
        # In the page's order: ignoring the case of ASCII letters.
        ordered = sorted(self.words, key=lambda word: (word.encode().lower(), word.encode()))
        number = {word: at for at, word in enumerate(ordered)}
        for element, what, named in self.waiting:
            if named is None:
                arrays = [[number[name] for name in what["names"]], what["parent"], what["name"], what["self"],
                          what["count"]]
            else:
                arrays = [[self.packed_cell(row[at], named[at], number) for row in what]
                          for at in range(len(named))]
            self.blobs[element] = self.compressed(json.dumps(arrays, separators=(",", ":")).encode())
        lengths = bytearray()
        for word in ordered:
            varint(len(word.encode()), lengths)
        self.blobs["packed-texts"] = self.compressed(bytes(lengths) + "".join(ordered).encode())
        return self.blobs, len(ordered)

    def packed_cell(self, cell, is_text, number):
        text = self.text_of(cell) if is_text else None
        return cell if text is None else number[text]

    @staticmethod
    def compressed(data):
        return gzip.compress(data, 6, mtime=0)


class Timeline:
    """Lanes of (begin, duration, name); the names with their kinds."""

    def __init__(self, end, begin=0):
        self.begin, self.end = begin, end
        self.names, self.name_kind, self.index = [], [], {}
        self.lanes = []

    def name(self, text, kind):
        if text not in self.index:
            self.index[text] = len(self.names)
            self.names.append(text)
            self.name_kind.append(KINDS.index(kind))
        return self.index[text]

    def lane(self, title, group, kind, events):
        self.lanes.append((title, group, kind, sorted(events, key=lambda event: (event[0], -event[1]))))

    def blob(self):
        out, lanes = bytearray(), []
        for title, group, kind, events in self.lanes:
            first, before = len(out), self.begin
            for begin, duration, name in events:
                varint(begin - before, out)
                varint(duration, out)
                varint(name, out)
                before = begin
            lanes.append({"title": title, "group": group, "kind": kind, "events": len(events),
                          "bytes": len(out) - first})
        return gzip.compress(bytes(out), 6, mtime=0), lanes

    def item(self, ident, title, blob, lanes, left_out=None):
        return chart(ident, "timeline", title, blob=blob, begin_ns=self.begin, end_ns=self.end,
                     names=self.names, name_kind=self.name_kind, kinds=KINDS, lanes=lanes,
                     left_out=left_out)

    def sums(self, begin, end):
        """What the page must show for a range, by name: calls, total and self time, clipped to it."""
        result = {}
        for _, _, _, events in self.lanes:
            open_events = []
            for at, duration, name in events:
                if at >= end:
                    break
                while open_events and open_events[-1][0] <= at:
                    open_events.pop()
                until = at + duration
                if until > begin or (duration == 0 and at >= begin):
                    clipped = min(until, end) - max(at, begin)
                    entry = result.setdefault(self.names[name], [0, 0, 0])
                    entry[0] += 1
                    entry[1] += clipped
                    entry[2] += clipped
                    if open_events:
                        above_end, above = open_events[-1]
                        result[above][2] -= max(0, min(until, end, above_end) - max(at, begin))
                open_events.append((until, self.names[name]))
        return result
