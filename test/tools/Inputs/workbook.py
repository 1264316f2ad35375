"""Reads a workbook of Office Open XML, by zipfile and XML alone or by openpyxl.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
import xml.etree.ElementTree as xml
import zipfile

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def unescaped(text):
    return re.sub(r"_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), text)


def position(cell):
    letters, row = re.fullmatch(r"([A-Z]+)(\d+)", cell).groups()
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return int(row) - 1, column - 1


def value(cell):
    kind = cell.get("t", "n")
    if cell.find(MAIN + "f") is not None:
        raise AssertionError(f"{cell.get('r')} is a formula")
    if kind == "inlineStr":
        return unescaped("".join(part.text or "" for part in cell.iter(MAIN + "t")))
    stored = cell.find(MAIN + "v")
    if stored is None:
        return None
    if kind == "b":
        return stored.text == "1"
    assert kind == "n", kind
    return float(stored.text)


class Sheet:
    def __init__(self, root):
        self.cells = {position(cell.get("r")): value(cell) for cell in root.iter(MAIN + "c")}
        self.filter = root.find(MAIN + "autoFilter")
        self.frozen = root.find(f"{MAIN}sheetViews/{MAIN}sheetView/{MAIN}pane")
        self.links = root.find(MAIN + "hyperlinks")
        heads = {column: text for (row, column), text in self.cells.items() if row == 0}
        self.heads = [heads.get(column) for column in range(max(heads, default=-1) + 1)]

    def column(self, head, rows):
        return [self.cells.get((row + 1, self.heads.index(head))) for row in range(rows)]

    def texts(self):
        return [each for each in self.cells.values() if isinstance(each, str)]


def sheets(path):
    """Sheets by name, in order; each part of the file must be XML."""
    with zipfile.ZipFile(path) as file:
        assert file.testzip() is None
        for name in file.namelist():
            xml.fromstring(file.read(name))
        targets = {each.get("Id"): each.get("Target") for each in
                   xml.fromstring(file.read("xl/_rels/workbook.xml.rels"))}
        book = xml.fromstring(file.read("xl/workbook.xml"))
        return {each.get("name"): Sheet(xml.fromstring(file.read("xl/" + targets[each.get(RELATION)])))
                for each in book.iter(MAIN + "sheet")}


def comments(path):
    with zipfile.ZipFile(path) as file:
        return ["".join(part.text or "" for part in each.iter(MAIN + "t"))
                for name in file.namelist() if name.startswith("xl/comments")
                for each in xml.fromstring(file.read(name)).iter(MAIN + "comment")]


def read_by_openpyxl(path):
    import openpyxl

    def seen(value):
        # It leaves escapes in the texts of cells unchanged.
        return unescaped(value) if isinstance(value, str) else value

    book = openpyxl.load_workbook(path)
    return {sheet.title: {(cell.row - 1, cell.column - 1): seen(cell.value) for row in sheet.iter_rows()
                          for cell in row if cell.value is not None} for sheet in book.worksheets}
